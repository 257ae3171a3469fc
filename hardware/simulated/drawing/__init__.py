"""Pictures of the simulated table, from items with a place and a height to the sensor's noise."""
