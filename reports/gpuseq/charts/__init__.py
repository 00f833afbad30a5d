"""Charts as plain values, and the formats that they are written in."""
