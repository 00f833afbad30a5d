#!/usr/bin/env python3
"""Installs pyhmmer_filter, the external tool that runs pyhmmer's filters, into build/tools of the checkout.

pyhmmer 0.12 has an environment of its own there; pyhmmer 0.7.4, which has HMMER 3.3.2 inside, stays the one of the tests.
"""

from python_tool import install

if __name__ == "__main__":
    install("pyhmmer_filter", "pyhmmer==0.12.0")
