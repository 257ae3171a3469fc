"""Sheets of Kvilt: their files, their layout on the page, and their print."""
