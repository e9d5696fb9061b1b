"""Text and JSON views of results."""
