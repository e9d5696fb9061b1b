"""The argument behind an answer in words: every step with its rule and its source."""
