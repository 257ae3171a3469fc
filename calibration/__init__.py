"""The places of the quilts in the picture, their empty looks, and the printed mats that help to find them."""
