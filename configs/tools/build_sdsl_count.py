#!/usr/bin/env python3
"""Builds sdsl_count, the external tool that counts queries by sdsl-lite's FM-indexes, into build/tools of the checkout.

It takes Debian's libsdsl-dev, a C++ compiler (CXX) and some ten seconds; CXXFLAGS replaces -O3 -march=native -DNDEBUG.
"""

from compiled import build_around_library, package_version

if __name__ == "__main__":
    build_around_library("sdsl_count", "sdsl/suffix_arrays.hpp", "libsdsl-dev",
                         [f'-DSDSL_VERSION="{package_version("libsdsl-dev")}"'],
                         ["-lsdsl", "-ldivsufsort", "-ldivsufsort64"])
