"""The HTTP server, the stream of events, and the hub between the turn loop and all browsers."""
