"""The simulated table of Kvilt: sheets, pencils, and people who colour."""
