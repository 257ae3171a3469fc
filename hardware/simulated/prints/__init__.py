"""Random prints: cloths, buttons, tags, patches and boards, in the style of several printings."""
