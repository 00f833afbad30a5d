"""The cluster of .ci/slurm as a site of ReFrame."""

site_configuration = {
    "systems": [{
        "name": "cluster",
        "hostnames": [".*"],
        "partitions": [{"name": "short", "scheduler": "squeue", "launcher": "local", "access": ["--partition=short"],
                        "environs": ["builtin"], "max_jobs": 8}],
    }],
    "environments": [{"name": "builtin"}],
}  # fmt: skip
