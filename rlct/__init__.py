"""Real log canonical thresholds, exactly, with certificates and sampled checks."""
