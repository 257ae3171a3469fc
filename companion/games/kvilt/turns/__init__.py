"""The phases of a turn: sharing pencils, using them, settling bonuses, ending a round."""
