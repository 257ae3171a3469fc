"""Geometry of pictures: homographies, rectified views, fiducials and their sharpness."""
