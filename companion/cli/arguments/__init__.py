"""Options, numbers and usage errors of the command line."""
