"""The devices wired to a Raspberry Pi: its camera, push-buttons on its pins, a strip of NeoPixels."""
