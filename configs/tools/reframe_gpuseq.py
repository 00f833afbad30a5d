"""ReFrame checks: gpuseq-bench as shards on a cluster, and the merged run.

reframe -C your_site.py -c configs/tools/reframe_gpuseq.py -r \
    -S GpuseqShard.checkout=/path/to/gpuseq-bench -S GpuseqMerge.checkout=/path/to/gpuseq-bench

Each shard is a job of its own (a Slurm job where the site's partition says so). Any node of the partition may take
any of them, and every record keeps the name of its node. A shard that is requeued, or tried again (--max-retries),
continues behind its records. Without ReFrame: gpuseq-bench slurm.
"""

import json
import os
import time

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import (fixture, parameter, performance_function, run_after, run_before,
                                   sanity_function, variable)

SHARDS = int(os.environ.get("GPUSEQ_SHARDS", "4"))
SESSION = time.strftime("%Y%m%dT%H%M%S")


class Gpuseq(rfm.RunOnlyRegressionTest):
    """The common part of shards and the merge."""

    checkout = variable(str, value=os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")))
    config = variable(str, value="configs/ci.json")
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    time_limit = "60m"

    @run_before("run")
    def take_the_launcher(self):
        # The launcher builds on first use; on a cluster without packages to install, give a built program.
        self.executable = os.environ.get("GPUSEQ_BENCH", os.path.join(self.checkout, "gpuseq-bench"))


class GpuseqShard(Gpuseq):
    """One shard of the config; its journal is the result."""

    shard = parameter(range(1, SHARDS + 1))

    @run_after("init")
    def describe(self):
        self.descr = f"shard {self.shard} of {SHARDS}"

    def run_folder(self):
        """The same for all attempts of a session, unlike the stage directory."""
        return os.path.join(self.outputdir, f"run-{SESSION}")

    @run_before("run")
    def give_arguments(self):
        run = self.run_folder()
        begin = f"--config {os.path.join(self.checkout, self.config)} --shard {self.shard}/{SHARDS} --output {run}"
        # The script may run again after a node failure.
        self.prerun_cmds = [f'if [ -e {run}/run.json ]; then arguments="--resume {run}"; else arguments="{begin}"; fi']
        self.executable_opts = ["run", "--no-report", "$arguments"]

    @sanity_function
    def every_state_has_its_record(self):
        with open(os.path.join(self.run_folder(), "run.json"), encoding="utf-8") as file:
            run = json.load(file)
        return sn.all([sn.assert_true(run["complete"], "the shard is not complete"),
                       sn.assert_eq(run["counts"]["failed"], 0, "{0} states failed")])


@rfm.simple_test
class GpuseqMerge(Gpuseq):
    """All shards as one run: no gap, no overlap; the best rate of each family as a performance variable."""

    shards = fixture(GpuseqShard, scope="session", action="join")
    descr = "merged run"
    local = True
    keep_files = ["merged"]

    @run_before("run")
    def give_arguments(self):
        self.executable_opts = ["merge", *(shard.run_folder() for shard in self.shards),
                                "--output", "merged"]

    def merged(self):
        with open(os.path.join(self.stagedir, "merged", "run.json"), encoding="utf-8") as file:
            return json.load(file)

    @sanity_function
    def nothing_is_missing(self):
        run = self.merged()
        return sn.all([sn.assert_true(run["complete"], "states are missing"),
                       sn.assert_eq(run["counts"]["failed"], 0, "{0} states failed")])

    @run_before("performance")
    def measure_winners(self):
        self.perf_variables = {}
        for number, winner in enumerate(self.merged()["tuned"]):
            name = f"{winner['family']}_{winner['device']}_{number}".replace(":", "_")
            self.perf_variables[name] = sn.make_performance_function(sn.defer(winner["rate"]), winner["rate_unit"])
