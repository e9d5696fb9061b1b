"""Certificates: the proof tree, its JSON form, and the independent checker."""
