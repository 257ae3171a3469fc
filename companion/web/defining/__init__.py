"""The page on which an owner describes a sheet of Kvilt."""
