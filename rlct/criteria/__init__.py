"""Learning-theory quantities: free energy, WBIC, WAIC, LOO, fluctuation, sBIC, learning curves."""
