#!/usr/bin/env python3
"""Builds seqan_count, the external tool that counts queries by SeqAn 3's FM-indexes, into build/tools of the checkout.

It takes Debian's libseqan3-dev, a C++ compiler (CXX), half a minute and a gigabyte of memory; CXXFLAGS replaces
-O3 -march=native -DNDEBUG.
"""

from compiled import build_around_library

if __name__ == "__main__":
    build_around_library("seqan_count", "seqan3/version.hpp", "libseqan3-dev",
                         ["-I/usr/include/seqan3/submodules/sdsl-lite/include"])
