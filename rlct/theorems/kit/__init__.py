"""What several theorem files share."""
