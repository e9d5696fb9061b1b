"""Answers: results, and the documents that prove them."""
