"""The printable sheet of Kvilt, its icons, and the card for trying pencils."""
