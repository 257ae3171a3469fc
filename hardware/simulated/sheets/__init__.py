"""The simulated table of Kvilt: sheets, pencils, and players who colour."""
