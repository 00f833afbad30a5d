#!/usr/bin/env python3
"""Installs hammingdist_square, the external tool that runs hammingdist, into build/tools of the checkout."""

from python_tool import install

if __name__ == "__main__":
    install("hammingdist_square", "hammingdist==1.5.0")
