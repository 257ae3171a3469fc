"""Put the hardware test together: drivers or twins, and a simulated person for the twins."""
