"""Verdicts about runs: which benchmark cases are slower than in a base, and where times changed over commits."""
