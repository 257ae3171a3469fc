"""A table's connection to an MQTT broker: publishes its state and events, and receives requests. See docs/mqtt.md."""
