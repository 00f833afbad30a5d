"""Prints the Debian packages of a config's data files, and of the peers that it uses, that are not there, one a line.

Usage: data_packages.py [--scripts] CONFIG

With --scripts, the scripts of the checkout that build the peers that are not there. A config that cannot be read prints
nothing: the program itself reports what is wrong with it.
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


def missing_peers(config, folder, key="package"):
    peers = config.get("peers", {})
    if isinstance(peers, str):
        peers = read(os.path.join(folder, os.path.expandvars(peers)))
    used = {name for family in config.get("families", {}).values() for name in family["variants"]}
    for name, peer in peers.get("peers", {}).items():
        programs = [command[0] for command in [peer["command"], *peer.get("prepare", [])]]
        if name in used and key in peer and not all(shutil.which(program) for program in programs):
            yield peer[key]


def missing(config_path, kinds, form):
    folder = os.path.dirname(os.path.abspath(config_path))
    names = set()
    for kind in kinds:
        try:
            names.update(kind(read(config_path), folder))
        except (OSError, ValueError, AttributeError, KeyError, TypeError, IndexError):
            continue
    return sorted(name for name in names if isinstance(name, str) and re.fullmatch(form, name))


def missing_packages(config_path):
    return missing(config_path, (missing_data, missing_peers), r"[a-z0-9][a-z0-9.+-]+")


def missing_scripts(config_path):
    return missing(config_path, (lambda config, folder: missing_peers(config, folder, "built_by"),),
                   r"configs/peers/[a-z0-9_]+\.py")


if __name__ == "__main__":
    scripts = sys.argv[1] == "--scripts"
    for name in missing_scripts(sys.argv[2]) if scripts else missing_packages(sys.argv[1]):
        print(name)
