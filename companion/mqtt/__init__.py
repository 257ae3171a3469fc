"""A table on an MQTT broker: its state, what happens at it, and what is asked of it. See docs/mqtt.md."""
