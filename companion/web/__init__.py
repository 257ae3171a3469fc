"""The page: a web server that publishes snapshots of the table to browsers and takes their commands."""
