"""Prints the Debian packages of a config's data files that are not there, one a line.

A config that cannot be read prints nothing: the program itself reports what is wrong with it.
"""

import json
import os
import re
import sys


def missing_packages(config_path):
    try:
        with open(config_path, encoding="utf-8") as file:
            data = json.load(file).get("data", {})
        entries = [entry for entry in data.values() if isinstance(entry, dict)]
    except (OSError, ValueError, AttributeError):
        return []
    folder = os.path.dirname(os.path.abspath(config_path))
    missing = []
    for entry in entries:
        path, package = entry.get("path"), entry.get("package")
        if not isinstance(path, str) or not isinstance(package, str):
            continue
        path = os.path.join(folder, os.path.expandvars(path))
        if not os.path.exists(path) and re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", package):
            missing.append(package)
    return sorted(set(missing))


if __name__ == "__main__":
    for name in missing_packages(sys.argv[1]):
        print(name)
