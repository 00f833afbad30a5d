# Device sources that NVRTC compiles at run time are linked in as text; points compiled ahead of time by nvcc
# as a fatbin.
