"""The request handlers; each takes the site and a request."""
