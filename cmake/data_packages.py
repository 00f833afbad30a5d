"""Prints the Debian packages of a config's data files, and of the peers that it uses, that are not there, one a line.

A config that cannot be read prints nothing: the program itself reports what is wrong with it.
"""

import json
import os
import re
import shutil
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def missing_data(config, folder):
    for entry in config.get("data", {}).values():
        path = os.path.join(folder, os.path.expandvars(entry["path"]))
        if not os.path.exists(path) and "package" in entry:
            yield entry["package"]


def missing_peers(config, folder):
    peers = config.get("peers", {})
    if isinstance(peers, str):
        peers = read(os.path.join(folder, os.path.expandvars(peers)))
    used = {name for family in config.get("families", {}).values() for name in family["variants"]}
    for name, peer in peers.get("peers", {}).items():
        programs = [command[0] for command in [peer["command"], *peer.get("prepare", [])]]
        if name in used and "package" in peer and not all(shutil.which(program) for program in programs):
            yield peer["package"]


def missing_packages(config_path):
    folder = os.path.dirname(os.path.abspath(config_path))
    missing = set()
    for kind in (missing_data, missing_peers):
        try:
            missing.update(kind(read(config_path), folder))
        except (OSError, ValueError, AttributeError, KeyError, TypeError, IndexError):
            continue
    return sorted(name for name in missing if isinstance(name, str) and re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", name))


if __name__ == "__main__":
    for name in missing_packages(sys.argv[1]):
        print(name)
