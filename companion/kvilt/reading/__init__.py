"""Reading of a coloured sheet of Kvilt: the picture's evidence, and the rules' for doubtful regions."""
