"""The checks of `companion doctor`: faults of this machine, with remedies. All inputs are arguments."""
