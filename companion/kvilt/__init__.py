"""Kvilt at the table: choices, complaints, events, and the sentences for them."""
