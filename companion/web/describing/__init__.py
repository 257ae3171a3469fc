"""Pages on which an owner describes a sheet of Kvilt or the printing of a time board."""
