"""Prints the Debian packages of a config's data files, and of the external tools that it uses, that are missing, one per line.

Usage: data_packages.py [--scripts] [--family NAME] [--role ROLE ...] CONFIG

With --scripts, the scripts of the checkout that build the external tools that are not there. With --family, only the data that
problems of this family name, and no external tools, as `tune` needs them. Data under a --role have been replaced by a file of the
user's. A config that cannot be read prints nothing: the program itself reports its errors.
"""

import argparse
import json
import os
import re
import shutil
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_config(path):
    """The config in a file; a run.json has it under "config"."""
    document = read(path)
    return document.get("config", document)


def named_words(config, family, roles):
    """The words that problems say, of one family or of all; some of them are names of data."""
    for name, given in config.get("families", {}).items():
        for problem in given["problems"] if family in (None, name) else []:
            for axis, value in problem.items():
                if axis not in roles:
                    yield from value if isinstance(value, list) else [value]


def missing_data(config, folder, family=None, roles=()):
    needed, replaced = list(named_words(config, family, roles)), list(named_words(config, family, ()))
    for name, entry in config.get("data", {}).items():
        if name not in needed and (family or name in replaced):
            continue
        path = os.path.join(folder, os.path.expandvars(entry["path"]))
        if not os.path.exists(path) and "package" in entry:
            yield entry["package"]


def missing_tools(config, folder, key="package"):
    tools = config.get("tools", {})
    if isinstance(tools, str):
        tools = read(os.path.join(folder, os.path.expandvars(tools)))
    used = {name for family in config.get("families", {}).values() for name in family["variants"]}
    for name, tool in tools.get("tools", {}).items():
        programs = [command[0] for command in [tool["command"], *tool.get("prepare", [])]]
        if name in used and key in tool and not all(shutil.which(program) for program in programs):
            yield tool[key]


def missing(config_path, kinds, form):
    folder = os.path.dirname(os.path.abspath(config_path))
    names = set()
    for kind in kinds:
        try:
            names.update(kind(read_config(config_path), folder))
        except (OSError, ValueError, AttributeError, KeyError, TypeError, IndexError):
            continue
    return sorted(name for name in names if isinstance(name, str) and re.fullmatch(form, name))


def missing_packages(config_path, family=None, roles=()):
    kinds = [lambda config, folder: missing_data(config, folder, family, roles)]
    return missing(config_path, kinds if family else [*kinds, missing_tools], r"[a-z0-9][a-z0-9.+-]+")


def missing_scripts(config_path):
    return missing(config_path, (lambda config, folder: missing_tools(config, folder, "built_by"),),
                   r"configs/tools/build_[a-z0-9_]+\.py")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--scripts", action="store_true")
    parser.add_argument("--family")
    parser.add_argument("--role", action="append", default=[])
    parser.add_argument("config")
    given = parser.parse_args()
    if not given.scripts:
        print(*missing_packages(given.config, given.family, given.role), sep="\n", end="")
    elif not given.family:
        print(*missing_scripts(given.config), sep="\n", end="")
