"""Every command of gpuseq-bench that README and docs show is executed, and ends as its rule says.

Usage: docs_commands_test.py PROGRAM ROOT

A command is an indented or fenced line that begins with the program, with the lines that continue it. Each one needs a
rule below: how a long one is shortened, and how it ends. A command without a rule fails the test, so does a rule without
a command.
"""

import concurrent.futures
import dataclasses
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(sys.argv.pop())
PROGRAM = pathlib.Path(sys.argv.pop()).resolve()

PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md", "kernels/*/README.md",
         "runtime/cuda/README.md", "results/*.md", "configs/*.md", "configs/tools/*.yml"]
PROGRAM_WORD = re.compile(r"^(?:[A-Z_]+=\S+ +)*(?:\S*/)?gpuseq-bench(?= |$)")
SMALL_SAMPLING = {"min_samples": 2, "max_samples": 6, "max_seconds": 0.02}


@dataclasses.dataclass
class Rule:
    """How a command is executed."""

    begins: str                 # what the command begins with, behind the name of the program
    more: str = ""              # options behind it that it has not, which make it short
    config: str = ""            # in place of the one that it names
    instead: str | None = None  # another command in its place, for the reason in `why`
    why: str = ""
    codes: tuple = (0,)
    says: str = ""              # a regular expression of its output
    needs_gpu: bool = False     # without a GPU it ends with exit code 2 and the reason
    needs_renderer: bool = False


NO_WAIT = "--benchmark_list_tests"  # plans everything, measures nothing
RULES = [
    Rule("--config quick.json", instead="plan --config quick.json --device cpu", says="states",
         why="two minutes"),
    Rule("selftest", instead="selftest --device cpu", says="selftest: passed", why="a comment behind it"),
    Rule("[COMMAND] [OPTIONS]", instead="--help", says="OPTIONS", why="a synopsis"),
    Rule("plan --config titan.json", more="--device cpu", says="states"),
    Rule("--config fm-index-gpu.json --device cuda:0 --budget 5min",
         instead="plan --config fm-index-gpu.json --device cpu --budget 5min", says="states", why="a GPU, and minutes"),
    Rule("--config fm-index-layouts.json --device-memory 12G",
         instead="plan --config fm-index-layouts.json --device-memory 12G --max-bytes 2G --data reference=genome.fa --device cpu",
         says="states", why="minutes"),
    Rule("--data reference=genome.fa --benchmark_filter=^fm_index/",
         instead="plan --data reference=genome.fa --benchmark_filter=^fm_index/ --device cpu", says="states", why="two minutes"),
    Rule("--data reference=genome.fa --data queries=reads.fq --benchmark_filter=^fm_index/", says="states", why="two minutes",
         instead="plan --data reference=genome.fa --data queries=reads.fq --benchmark_filter=^fm_index/ --device cpu"),
    Rule("--config external-tools.json", instead="plan --config external-tools.json --device cpu",
         says="states", why="programs that need not be there"),
    Rule("--config gpus.json", instead="plan --config gpus.json --device cpu", says="states", why="several GPUs"),
    Rule("--config fm-index-gpus.json", instead="plan --config fm-index-gpus.json --device cpu", says="states", why="several GPUs"),
    Rule("--config results/h200-papers/titan/run.json",
         instead="plan --config results/h200-papers/titan/run.json --device cpu", says="states", why="a GPU, and minutes"),
    Rule("--config fm-index-gpu.json --shard 3/8 --output shard3",
         instead="plan --config fm-index-gpu.json --shard 3/8 --device cpu", says="states", why="hours"),
    Rule("--config configs/ci.json --output run", more="--set sampling.max_samples=2 --set sampling.min_samples=2 --budget 10"),
    Rule("--config mine.json", says="fm_index"),
    Rule("run --plugin ./libsuffix_array.so", says="states", why="a library of the reader, and minutes",
         instead=f"plan --plugin {PROGRAM.parents[1]}/tests/plugin/libgpuseq_suffix_array.so --config quick.json --device cpu"),
    Rule("--version", says=r"\d+\.\d+"),
    Rule("list tools", says="bowtie"),
    Rule("tune fm_index --config quick.json --device cpu --evaluations 60", more=NO_WAIT, says="fm_index/simd/"),
    Rule("tune fm_index --config quick.json --device cpu --evaluations 60",
         instead="tune fm_index --config mine.json --device cpu --evaluations 3 --output tuned", says="records:",
         why="a genome, and minutes"),
    Rule("tune fm_index --machine results/h100-first-look", more="--output predicted1", says="predictions:"),
    Rule("tune fm_index --machine configs/published/machine-titan.json", more="--output predicted2", says="2.33 GB"),
    Rule("choose --reference genome.fa", more="--budget 10 --device cpu --set probe_budget_s=0 "
         "--set families.fm_index.problems.0.query_count=2000 --output chosen",
         says="gpuseq-bench exec fm_index", why="5 minutes"),
    Rule("export fm_index", says="README.md there"),
    Rule("export exact_match", says="README.md there"),
    Rule("report runs/a runs/b", needs_renderer=True, says="report:"),
    Rule("report runs/a --figure list", needs_renderer=True, says="fm-index/fig8"),
    Rule("report runs/a --figure fm-index/fig8", needs_renderer=True),
    Rule("report runs/a --export-nvbench", instead="report results/h100-first-look --export-nvbench run.json",
         needs_renderer=True, says=r"\d+ cases", why="needs a run of a GPU"),
    Rule('query "SELECT', needs_renderer=True),
    Rule("reproduce list", needs_renderer=True, says="fm-index/fig8"),
    Rule("reproduce fm-index/fig9", instead="reproduce fm-index/fig8 --config mine.json --over run_of_mine --format pdf --output reproduced{n}",
         needs_renderer=True, why="minutes on a machine with few processors"),
    Rule("compare runs/base runs/new", needs_renderer=True, codes=(0, 1, 3), says="case"),
    Rule("compare runs/old-driver runs/new-driver --allow driver", instead="compare runs/base runs/new --allow driver",
         needs_renderer=True, codes=(0, 1, 3), says="case", why="runs of the reader"),
    Rule("compare old.json new.json", instead=f"compare {ROOT}/tests/data/foreign/hyperfine.json "
         f"{ROOT}/tests/data/foreign/hyperfine.json", needs_renderer=True, codes=(3,), says="program/time", why="files of the reader"),
    Rule("history results/history.jsonl", instead="history history.jsonl --add runs/new --plot history.svg",
         needs_renderer=True, why="what is in results/ stays"),
    Rule('history "$HOME/gpuseq-history.jsonl"', needs_renderer=True),
    Rule("gate --base-cmd", config="mine.json", needs_renderer=True, more="--rounds 1 --budget 1 --output gate{n}",
         codes=(0, 1, 3), says="case", why="20 s"),
    Rule("gate --plugin", needs_renderer=True, codes=(0, 1, 3), says="case", instead="gate --rounds 1 --budget 1 --output gate_plugins{n} "
         "--config mine.json" + 2 * f" --plugin {PROGRAM.parents[1]}/tests/plugin/libgpuseq_suffix_array.so",
         why="libraries of the reader"),
    Rule("gate --new-cmd new/gpuseq-bench --save", config="mine.json", needs_renderer=True,
         more="--rounds 1 --output gate{n}", says="baseline", why="20 s"),
    Rule("gate --new-cmd new/gpuseq-bench --baseline", needs_renderer=True, codes=(0, 1, 3),
         instead="gate --config mine.json --new-cmd new/gpuseq-bench --rounds 1 --output gate_saved --save saved && ./gpuseq-bench "
         "gate --config mine.json --new-cmd new/gpuseq-bench --rounds 1 --budget 1 --output gate_compared --baseline saved",
         says="the baseline was measured earlier", why="needs what another command leaves, and 20 s"),
    Rule("gate --command './old/bench", instead="gate --rounds 2 --output gate_files " + 2 * f"--command 'cp "
         f"{ROOT}/tests/data/foreign/hyperfine_two.json $GPUSEQ_RESULT' ", needs_renderer=True, codes=(0, 3), says="2 cases",
         why="programs of the reader"),
    Rule("gate --command './old/align", instead="gate --rounds 2 --output gate_rates " + 2 * "--command 'echo at 5 reads/s' " +
         r"--value 'at (\S+) reads/s' --value-is rate", needs_renderer=True, says="1 same", why="programs of the reader"),
    Rule("machine results/h100-first-look", says="cuda:0"),
    Rule("machine machine.json", says="cpu"),
    Rule("machine a/machine.json b", says="cpu"),
    Rule("machine results/h200/machine.json runs/mine/machine.json", says="size of memory"),
    Rule("machine configs/published/machine-titan.json runs/mine/machine.json", says="size of memory"),
    Rule("machine", more="--set probes={} --set probes.latency.footprint_bytes=65536 --device cpu --output machine_of_mine",
         says="cpu", why="a minute"),
    Rule("--config reference.json --no-report --shard", instead="plan --config reference.json --shard 1/3 --device cpu",
         says="states", why="minutes"),
    Rule("--config reference.json --no-report --output", instead="plan --config reference.json --device cpu", says="states",
         why="minutes"),
    Rule("merge part1 part2 part3", instead="merge shard1 shard2 --output merged_parts", says="records:", why="parts of minutes"),
    Rule("merge shard1 shard2 ... shard8", instead="merge shard1 shard2 --output merged", says="records:",
         why="an ellipsis"),
    Rule("slurm --config fm-index-gpu.json", instead="slurm --help", says="Slurm", why="a cluster"),
    Rule("exec fm_index --variant full_cooperative", needs_gpu=True),
    Rule("exec <family> --variant row_cache", instead="exec fm_index --help", why="a variant that the reader writes"),
    Rule("exec fm_locate"), Rule("exec fm_mismatch"), Rule("exec papara"), Rule("exec profile_hmm"),
    Rule("exec pairwise_distance"),
    Rule("exec pairwise_distance --data instances=x.csv --metric euclidean --out d.tsv --variant float_tiled", needs_gpu=True),
    Rule("exec pairwise_distance --data instances=x.csv --metric euclidean --out d.tsv --names no", codes=(2,),
         says="allowed: finite numbers", why="a table with names"),
    Rule("exec exact_match"),
]
# Placeholders of values in a synopsis.
VALUES = {"MiB": "64", "letters": "1000"}


def commands_of(text):
    """The commands of a page, in their order."""
    found, fenced, lines = [], False, iter(text.splitlines())
    for line in lines:
        if line.lstrip().startswith("```"):
            fenced = not fenced
        words = line.strip()
        if not (fenced or line.startswith("    ")) or not PROGRAM_WORD.match(words):
            continue
        while words.endswith("\\"):
            words = words[:-1].rstrip() + " " + next(lines).strip()
        found.append(re.sub(r"\s+# .*$", "", words))
    return found


def without_optional(command):
    """A command with none of its [parts], and with each of them: of alternatives a|b each. Others come after a blank."""
    part = r" \[([^\]]*)\]"
    parts = re.findall(part, command)
    plain = re.sub(rf"\s*{part}", "", command)
    filled = [plain]
    for part in parts:
        words = [[VALUES.get(word, word) for word in piece.split("|")] for piece in part.split()]
        filled += [f"{plain} {' '.join(choice)}" for choice in itertools.product(*words)]
    return filled


def fasta(path, count, length, source, letters="ACGT"):
    path.write_text("".join(f">s{i}\n{''.join(source.choices(letters, k=length))}\n" for i in range(count)))


HMM = """HMMER3/f [3.3.2 | Nov 2020]
NAME  x
LENG  {length}
ALPH  amino
RF    no
MM    no
CONS  yes
CS    no
MAP   no
STATS LOCAL MSV       -8.0 0.7
STATS LOCAL VITERBI   -9.0 0.7
STATS LOCAL FORWARD   -3.0 0.7
HMM          {letters}
            m->m     m->i     m->d     i->m     i->i     d->m     d->d
  COMPO   {scores}
          {scores}
          0.01000  5.00000  5.50000  0.60000  0.80000  0.00000        *
{states}//
"""


def hmm(length):
    scores = "  ".join(["2.99573"] * 20)
    moves = "0.01000  5.00000  5.50000  0.60000  0.80000  0.50000  0.90000"
    last = "0.01000  5.00000        *  0.60000  0.80000  0.00000        *"
    states = "".join(f"{i:7d}   {scores} - a - - -\n          {scores}\n          {moves if i < length else last}\n"
                     for i in range(1, length + 1))
    return HMM.format(length=length, letters=" ".join("ACDEFGHIKLMNPQRSTVWY"), scores=scores, states=states)


class Documented(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="gpuseq_documented_")
        cls.addClassCleanup(temporary.cleanup)
        home = pathlib.Path(temporary.name).resolve()
        cls.folder = home / "checkout"
        cls.folder.mkdir()
        (cls.folder / "configs").symlink_to(ROOT / "configs")
        (cls.folder / "results").mkdir()
        for path in (ROOT / "results").iterdir():
            (cls.folder / "results" / path.name).symlink_to(path)
        for folder in (cls.folder, cls.folder / "base", cls.folder / "new", cls.folder / "old", cls.folder / "build/release/bench"):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "gpuseq-bench").symlink_to(PROGRAM)
        (cls.folder / "new/configs").symlink_to(ROOT / "configs")
        (cls.folder / "base/configs").symlink_to(ROOT / "configs")
        cls.environment = {**os.environ, "GPUSEQ_ROOT": str(ROOT), "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
                           "TMPDIR": str(home), "PATH": f"{cls.folder}:{os.environ['PATH']}"}
        listed = json.loads(cls.run_in_shell("./gpuseq-bench list --json").stdout)
        cls.has_gpu = any(device.startswith("cuda") for device in listed["devices"])
        cls.has_renderer = cls.run_in_shell(f'"${{GPUSEQ_PYTHON:-none}}" -c "import vl_convert, fontTools, PIL, polars, duckdb"').returncode == 0
        cls.write_files()
        cls.write_runs()

    @classmethod
    def run_in_shell(cls, command):
        return subprocess.run(["bash", "-c", command], cwd=cls.folder, env=cls.environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=600)

    @classmethod
    def write_files(cls):
        source = random.Random(1)
        for name in ("ref.fa", "genome.fa"):
            fasta(cls.folder / name, 2, 3000, source)
        for name in ("q.fa", "reads.fa"):
            fasta(cls.folder / name, 5, 40, source)
        (cls.folder / "reads.fq").write_text("".join(
            f"@r{i}\n{''.join(source.choices('ACGT', k=40))}\n+\n{'I' * 40}\n" for i in range(5)))
        for name, letters in (("ref", "ACGT"), ("family", "ACDEFGHIKLMNPQRSTVWY")):
            fasta(cls.folder / f"{name}.fasta", 4, 60, source, letters)
            (cls.folder / f"{name}.nwk").write_text("((s0:0.1,s1:0.1):0.1,s2:0.1,s3:0.1);\n")
        fasta(cls.folder / "reads.fasta", 3, 30, source)
        fasta(cls.folder / "proteins.fasta", 3, 30, source, "ACDEFGHIKLMNPQRSTVWY")
        fasta(cls.folder / "y.fasta", 4, 50, source, "ACDEFGHIKLMNPQRSTVWY")
        (cls.folder / "x.hmm").write_text(hmm(8))
        (cls.folder / "x.csv").write_text("name,a,b,c\nx,0.5,1,2\ny,1,1.5,0\nz,0,0,1\n")
        (cls.folder / "x.bed").write_bytes(bytes([0x6C, 0x1B, 0x01]) + bytes(source.randrange(256) for _ in range(6)))
        (cls.folder / "x.bim").write_text("".join(f"1 rs{i} 0 {i} A C\n" for i in range(6)))
        (cls.folder / "x.fam").write_text("".join(f"f s{i} 0 0 1 1\n" for i in range(4)))

    @classmethod
    def write_runs(cls):
        mine = {"name": "mine", "devices": "cpu", "probe_budget_s": 0, "sampling": SMALL_SAMPLING,
                "probes": {"latency": {"footprint_bytes": {"from": 65536, "to": 131072, "per_octave": 1}}},
                "families": {"fm_index": {
                    "problems": [{"reference_bases": [20000, 40000], "query_count": 500, "query_bases": 30}],
                    "variants": {"scalar": {"k": [1, 2]}}}},
                "tune": {"rounds": 3}}
        (cls.folder / "mine.json").write_text(json.dumps(mine))
        # The winner is kept where caches were hot and the default point was beaten, so that `export` finds it.
        cls.made("run --config mine.json --output run_of_mine --no-report")
        for name in ("a", "b", "new", "mine"):
            cls.made(f"--config mine.json --set tune.remeasure=0 --output runs/{name} --no-report")
        (cls.folder / "runs/base").symlink_to("a")
        cls.made("machine runs/mine --output runs/mine")
        for place in ("machine.json", "a/machine.json", "b/machine.json"):
            (cls.folder / place).parent.mkdir(exist_ok=True)
            (cls.folder / place).write_bytes((cls.folder / "runs/mine/machine.json").read_bytes())
        for i in (1, 2):
            cls.made(f"--config mine.json --shard {i}/2 --output shard{i} --no-report")

    @classmethod
    def made(cls, arguments):
        done = cls.run_in_shell(f"./gpuseq-bench {arguments}")
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: {done.stdout}{done.stderr}")

    def rules_of(self, words):
        """All rules that begin alike with the longest of the beginnings that fit."""
        fitting = [rule for rule in RULES if (words + " ").startswith(rule.begins + " ") or
                   (len(rule.begins) > len("machine") and words.startswith(rule.begins))]
        longest = max((len(rule.begins) for rule in fitting), default=0)
        return [rule for rule in fitting if len(rule.begins) == longest]

    def executed(self, page, number, command, rule, words):
        begin = PROGRAM_WORD.match(command)[0]
        if rule.instead is not None:
            words = rule.instead
        else:
            lacking = [one for one in re.split(r"\s+(?=--)", rule.more) if one.split(" ")[0].split("=")[0] not in words]
            words = re.sub(r"(?<=--config )\S+", rule.config, words) if rule.config else words
            if budget := re.search(r"--budget \S+", rule.more):
                words = re.sub(r"--budget \S+", budget[0], words)
            first, *rest = words.split(" || ")
            words = " || ".join([" ".join([first, *lacking]), *rest])
        began = time.monotonic()
        done = self.run_in_shell(f"{begin} {words}".replace("{n}", str(number)))
        print(f"{time.monotonic() - began:6.1f} s  {words}", flush=True)
        said = done.stdout + done.stderr
        what = f"{page}: {command}\nexecuted: {words}\nexit code {done.returncode}\n{said[-3000:]}"
        if rule.needs_gpu and not self.has_gpu:
            right = done.returncode == 2 and re.search(r"cuda:0.*no CUDA|no device|CUDA", said)
        elif rule.needs_renderer and not self.has_renderer:
            right = done.returncode == 1 and "render" in said
        else:
            right = done.returncode in rule.codes and re.search(rule.says, said)
        return None if right else what

    def test_every_command_ends_as_its_rule_says(self):
        jobs, unknown, used = [], [], set()
        seen = set()
        pages = sorted(path for pattern in PAGES for path in ROOT.glob(pattern))
        for page in pages:
            for command in commands_of(page.read_text()):
                name = page.relative_to(ROOT)
                rest = command[PROGRAM_WORD.match(command).end():].strip()
                synopses = [rest] if rest.startswith("[COMMAND]") else [s.strip() for s in without_optional(rest)]
                for words in synopses:
                    rules = self.rules_of(words)
                    if not rules:
                        unknown.append(f"{name}: {command}")
                    for rule in rules:
                        used.add(rule.begins)
                        if (words, rule.instead, rule.more) not in seen:
                            seen.add((words, rule.instead, rule.more))
                            jobs.append((name, len(jobs), command, rule, words))
        self.assertEqual(unknown, [], "commands without a rule in this test")
        self.assertEqual([rule.begins for rule in RULES if rule.begins not in used], [], "rules without a command")
        self.assertGreater(len(jobs), 40)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            wrong = [what for what in pool.map(lambda job: self.executed(*job), jobs) if what]
        self.assertEqual(wrong, [], "\n\n" + "\n\n".join(wrong))


if __name__ == "__main__":
    unittest.main(verbosity=2)
