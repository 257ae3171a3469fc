"""Calibration of the quilts' places in the picture and of their empty looks, and the printed mats that mark them."""
