#!/usr/bin/env python3
"""Builds hmmer_filter, the external tool that runs HMMER's own filters, into build/tools of the checkout.

Usage: build_hmmer_filter.py [FOLDER OF THE UNPACKED SDIST, OR ITS FILE]

HMMER has no package with its library. pyhmmer's source distribution on PyPI, which pip fetches where none is given,
has the sources of HMMER and Easel; they are compiled as HMMER's own build compiles them (-O3, SSE; CFLAGS replaces
that), and only those that the filters need are linked. It takes a C and a C++ compiler and a minute or two.
"""

import configparser
import os
import pathlib
import platform
import shutil
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor

from compiled import CXX, HERE, publish, refuse, run

VERSION = "0.7.4"  # has HMMER 3.3.2 inside; that of requirements-tests.txt
SHA256 = "e3ce2719628ce8f1c7ee0b604ca68ca33ccf0b3c77f785a720fa96aa86295c5f"
C = os.environ.get("CC", "cc")
FLAGS = [*os.environ.get("CFLAGS", "-O3 -msse2").split(), "-pthread", "-w"]
# The parts of glibc on x86-64 that HMMER's and Easel's configure ask for.
HAS = ["ENDIAN_H", "INTTYPES_H", "STDINT_H", "UNISTD_H", "SYS_TYPES_H", "SYS_PARAM_H", "STRINGS_H", "NETINET_IN_H",
       "ALIGNED_ALLOC", "ERFC", "GETPID", "GETCWD", "_MM_MALLOC", "POPEN", "POSIX_MEMALIGN", "STRCASECMP", "STRSEP",
       "SYSCONF", "TIMES", "FSEEKO", "CHMOD", "STAT", "FSTAT", "MKSTEMP", "PUTENV", "PTHREAD", "FLUSH_ZERO_MODE",
       "FUNC_ATTRIBUTE_NORETURN"]
# Programs, code for other processors, and code that needs missing libraries.
LEFT_OUT = {"vitscore.c", "esl_cuda.c"}


def check_machine():
    if platform.system() != "Linux" or platform.machine() not in ("x86_64", "amd64"):
        refuse(f"found {platform.system()} on {platform.machine()}; HMMER's filters are built for Linux on x86-64")
    missing = [program for program in (C, CXX, "ar") if shutil.which(program) is None]
    if missing:
        refuse(f"found no {', '.join(missing)}; apt-get install g++ has them")


def unpacked(given, folder):
    """The folder of pyhmmer's sources: the given one, or a download by pip."""
    given = pathlib.Path(given) if given else None
    if given is None:
        (folder / "wanted.txt").write_text(f"pyhmmer=={VERSION} --hash=sha256:{SHA256}\n")
        run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--no-binary", "pyhmmer", "--dest", folder, "--requirement", folder / "wanted.txt"])
        given = folder / f"pyhmmer-{VERSION}.tar.gz"
    if given.is_file():
        with tarfile.open(given) as archive:
            archive.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        given = folder / f"pyhmmer-{VERSION}"
    if not (given / "vendor" / "hmmer" / "src" / "hmmer.h").exists():
        refuse(f"found no sources of HMMER in {given}; allowed: pyhmmer {VERSION}, its sdist or the folder of it")
    return given


def write_headers(sources, folder):
    """Writes the headers that configure would: the constants are in pyhmmer's setup.cfg."""
    settings = configparser.ConfigParser()
    settings.read(sources / "setup.cfg")
    for library in ("easel", "hmmer"):
        section = settings[f"configure.{library}"]
        constants = [line.split("=", 1) for line in section["constants"].split("\n") if "=" in line]
        defines = [f"#define {name.strip()} {value.strip()}\n" for name, value in constants]
        defines += [f"#define HAVE_{name} 1\n" for name in HAS] + ["#define eslENABLE_SSE 1\n"]
        (folder / section["filename"]).write_text("#pragma once\n" + "".join(defines))
    shutil.copy(sources / "vendor/hmmer/libdivsufsort/divsufsort.h.in", folder / "divsufsort.h")


def build(sources, folder):
    write_headers(sources, folder)
    hmmer, easel = sources / "vendor/hmmer/src", sources / "vendor/easel"
    include = [f"-I{place}" for place in (folder, easel, hmmer, hmmer / "impl_sse")]
    files = [file for place in (easel, hmmer, hmmer / "impl_sse") for file in sorted(place.glob("*.c"))
             if file.name not in LEFT_OUT]
    objects = [folder / f"{file.parent.name}-{file.stem}.o" for file in files]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda pair: run([C, *FLAGS, *include, "-c", pair[0], "-o", pair[1]]), zip(files, objects)))
    # The linker takes only the needed members of an archive.
    run(["ar", "rcs", folder / "libhmmer.a", *objects])
    made = folder / "hmmer_filter"
    run([CXX, "-std=c++20", *FLAGS, *include, HERE / "hmmer_filter.cpp", folder / "libhmmer.a", "-lm", "-o", made])
    publish(made, "hmmer_filter")


if __name__ == "__main__":
    check_machine()
    with tempfile.TemporaryDirectory() as scratch:
        build(unpacked(sys.argv[1] if len(sys.argv) > 1 else None, pathlib.Path(scratch)), pathlib.Path(scratch))
