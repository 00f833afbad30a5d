"""configs/tools/mmseqs_ungapped.sh with scripts that replace MMseqs2-GPU and libmarv: requests, answers and seconds."""

import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(sys.argv[1]) / "configs/tools/mmseqs_ungapped.sh"
MODEL = """HMMER3/f
LENG  2
HMM          A        C        D        E        F        G        H        I        K        L        M        N        P        Q        R        S        T        V        W        Y
      1   2.5 0.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 1 c - - -
      2   2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 2.5 0.5 2.5 2 w - - -
//
"""
MAKEDB = 'cp "$1" "$2"\n'
# Scans that get faster: the first is ten times as slow as the median of the others.
ALIGN = """
while [ $# -gt 0 ]; do case $1 in --of) of=$2 ;; --top) top=$2 ;; --db) db=$2 ;; --query) query=$2 ;; esac; shift; done
echo "$top $(grep -c '^>CW\\|^CW' "$query")" >"$db.asked"
printf 'Query number\\tQuery length\\n0\\t2\\tq\\t0\\t31\\t9\\t%s\\t1\\t0\\t0\\n1\\t2\\tq\\t0\\t31\\t9\\t%s\\t1\\t0\\t0\\n' 70 70 >"$of"
echo "Scan time: 7 s, of no query"
printf 'Processing query 0 ... Done. Scan time: 0.055 s, 13000 GCUPS\\n'
for i in 1 2 3 4 5 6 7 8 9 10; do printf "Processing query $i ... Query length 2. approach: kernelparamzero\\nDone. Scan time: 0.00$((11 - i > 9 ? 9 : 11 - i)) s, 13 GCUPS\\n"; done
echo 'Total time: 1 s'
"""
MMSEQS = """
echo "$*" >>"$(dirname "$0")/asked"
case $1 in ungappedprefilter) printf '1\\t40\\t0\\n0\\t38\\t0\\n\\0' >"$4.0"; touch "$4.index" "$4.dbtype" ;; esac
"""


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def run(*words, **environment):
    return subprocess.run(["sh", SCRIPT, *map(str, words)], check=True, capture_output=True, text=True, env=os.environ | environment).stdout


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for program, text in (("makedb", MAKEDB), ("align", ALIGN), ("mmseqs", MMSEQS)):
            (folder / program).write_text("#!/bin/sh\n" + text)
            (folder / program).chmod(0o755)
        (folder / "model.hmm").write_text(MODEL)
        (folder / "sequences.fa").write_text("".join(f">of the same name\nACDW\nA{i % 7 * 'C'}\n" for i in range(150)))
        database = folder / "marv"
        database.mkdir()
        run("marv_index", folder, folder / "model.hmm", folder / "sequences.fa", database)
        check("names", (database / "database").read_text().split("\n")[:4], [">1", "ACDW", "A", ">2"])
        printed = run("marv", folder, "0.02", database, folder / "out")
        check("median of all scans but the first", printed, "seconds 0.0055\n")
        check("best 2 % of 150, queries", (database / "database.asked").read_text(), "3 11\n")
        check("answers of the first query", (folder / "out").read_text(), "70\t31\n")

        padded = folder / "padded-folder"
        padded.mkdir()
        (padded / "padded.index").write_text("0\t0\t9\n" * 150)
        (padded / "padded.lookup").write_text("0\tb\t4\n1\ta\t8\n")
        run("gpu", "0.02", padded, folder / "out", MMSEQS=str(folder / "mmseqs"))
        check("answers by the order of the file", (folder / "out").read_text(), "9\t40\n5\t38\n")
        asked = (folder / "asked").read_text().split()
        check("sequences asked for", asked[asked.index("--max-seqs") + 1], "3")


if __name__ == "__main__":
    main()
