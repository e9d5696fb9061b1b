"""The local web page: ``rlct serve``."""
