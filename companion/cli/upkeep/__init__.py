"""The commands that look after an installed companion and what it keeps."""
