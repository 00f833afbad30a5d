"""Errors that a command reports in one line."""


class UsageError(Exception):
    """Wrong input: the message names what was found, where, and what is allowed. The exit code is 2."""
