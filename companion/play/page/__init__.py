"""The interface between a page and a game.

It does not depend on how a page is served, nor on which games there are.
"""
