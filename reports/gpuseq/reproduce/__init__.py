"""`gpuseq-bench reproduce`: measures only the cases that a figure draws, and draws it over the committed one."""
