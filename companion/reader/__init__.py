"""Where vision meets the rules: which legal placement explains the picture?"""
