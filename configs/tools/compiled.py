"""The common part of the scripts that build external tools: where programs go, and how a compiler is run."""

import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "build" / "tools"
CXX = os.environ.get("CXX", "c++")


def refuse(what):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {what}")


def run(command):
    words = [str(word) for word in command]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        refuse(f"{' '.join(words[:4])} ... failed:\n{(result.stderr or result.stdout)[-2000:]}")


def publish(made, name):
    """Puts a program where ./gpuseq-bench finds it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.move(made, FOLDER / name)
    print(f"{FOLDER / name} (./gpuseq-bench finds it; else put its folder in PATH)")


def package_version(package):
    result = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True, check=False)
    return result.stdout.strip() or "of unknown version"


def build_around_library(name, header, package, options, libraries=()):
    """Compiles the program NAME.cpp in the folder of this file with a library's headers, for this processor."""
    if shutil.which(CXX) is None:
        refuse(f"found no {CXX}; apt-get install g++ has one")
    if not pathlib.Path("/usr/include", header).exists():
        refuse(f"found no /usr/include/{header}; apt-get install {package} has it")
    flags = shlex.split(os.environ.get("CXXFLAGS", "-O3 -march=native -DNDEBUG"))
    with tempfile.TemporaryDirectory() as scratch:
        made = pathlib.Path(scratch) / name
        run([CXX, "-std=c++20", *flags, "-pthread", "-w", *options, HERE / f"{name}.cpp", *libraries, "-o", made])
        publish(made, name)
