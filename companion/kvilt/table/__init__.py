"""Kvilt at the table: the turn loop, and the players' choices by three push-buttons."""
