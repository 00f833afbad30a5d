"""Runs on a cluster: a Slurm job array of the shards of one run, taken up again where they are lost, and merged."""
