"""Reading of request bodies by type, and the OpenAPI description made from the same types."""
