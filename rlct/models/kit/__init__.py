"""What several model files share."""
