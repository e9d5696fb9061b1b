"""Answers: from a question to all routes to its pair, and to what is done with them."""
