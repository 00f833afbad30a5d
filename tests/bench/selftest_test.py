"""`selftest` checks every variant and probe of a CPU with each instruction set, and ends with 0.

Usage: selftest_test.py PROGRAM
"""

import json
import re
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop()


def cases(entries):
    """The number of cases of families or probes, as `list --json` has them: one for each instruction set of a variant."""
    for entry in entries:
        for variant in entry["variants"]:
            if variant["device"] == "cpu":
                targets = [axis["values"] for axis in variant["axes"] if axis["name"] == "target"]
                yield len(set(targets[0]) - {"best"}) if targets else 1


class Selftest(unittest.TestCase):
    def test_checks_each_variant_with_each_instruction_set(self):
        listed = json.loads(subprocess.run([PROGRAM, "list", "--json"], check=True, capture_output=True, text=True).stdout)
        done = subprocess.run([PROGRAM, "selftest", "--device", "cpu"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        right, failed, skipped = map(int, re.search(r"^cpu: (\d+) right, (\d+) failed, (\d+) skipped$", done.stdout, re.M).groups())
        self.assertEqual(failed, 0)
        self.assertGreater(right, skipped)
        self.assertEqual(right + skipped, sum(cases(listed["families"])) + sum(cases(listed["probes"])))
        self.assertTrue(done.stdout.endswith("selftest: passed\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
