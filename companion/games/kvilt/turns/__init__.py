"""The phases of a turn: sharing pencils, using them, the bonuses, the end of a round."""
