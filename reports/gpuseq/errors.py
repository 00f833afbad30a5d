"""Errors that a command reports in one line."""


class UsageError(Exception):
    """Wrong input. The message names the value found, its place, and the allowed values. The exit code is 2."""
