"""The answers to requests; each handler takes the site and a request."""
