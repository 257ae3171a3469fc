"""What lies where on the simulated table."""
