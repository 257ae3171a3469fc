"""Prints drawn from random numbers: cloths, buttons, tags, patches and boards, in the way of several printings."""
