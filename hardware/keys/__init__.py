"""Keys of number pads, remotes, camera shutters and foot pedals as push-buttons, by Linux input devices."""
