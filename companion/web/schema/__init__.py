"""The types of what a browser sends and receives, and the OpenAPI description made from them."""
