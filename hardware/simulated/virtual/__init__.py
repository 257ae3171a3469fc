"""A remotely operated table: people move its pieces from elsewhere, and the camera sees it."""
