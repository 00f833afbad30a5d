"""No text of a file, a name or an argument acts where people read it: every command is run on folders whose texts hold
control characters, marks of direction, bytes that are not UTF-8 and commands of log readers.

Usage: hostile_text_test.py PROGRAM
"""

import copy
import hashlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())

CONTROLS = "\x00\x07\b\r\x1b[31m\x1b]0;own\x07\x7f\x85\x9b31m"
DIRECTIONS = "\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069"
COMMANDS = "\n::add-mask::x\n  ::stop-commands::y\n##[group]z"
HOSTILE = f"h{CONTROLS}{DIRECTIONS}{COMMANDS}"
RAW = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{DIRECTIONS}]")
COMMAND = re.compile(r"^\s*::|##\[", re.MULTILINE)
# Fields that name a state or have one of a few words; in these a hostile text is refused, which is a message as well.
STRUCTURE = {"schema_version", "state", "family", "variant", "problem", "point", "device", "kind", "phase", "status", "date"}
WORDS = {"date", "rate_unit", "access", "source", "problem_hash", "config_hash", "hash"}  # of other fields, with a form of their own
CONFIG = {
    "name": "texts", "devices": "cpu", "probe_budget_s": 0,
    "sampling": {"min_samples": 2, "max_samples": 2, "max_seconds": 0.01},
    "probes": {"random_access": {"footprint_bytes": {"from": 65536, "to": 1048576, "per_octave": 1},
                                 "cpu": {"block_bytes": 64, "threads": 1}}},
    "families": {"fm_index": {"problems": [{"reference": "random", "reference_bases": 20000, "query_count": 100,
                                            "query_bases": 30}],
                              "variants": {"scalar": {}, "prefetch": {}}}},
    "tune": {"remeasure": 2, "rounds": 2},  # a race, whose winner is kept
}
FASTA = ">a\nACGTACGTTACGATCGATCAGCATCGACTAGCATCAGCATCAGCATCAGCATACGACTA\n"


def texts_of(value, way=()):
    """The ways to all texts of a JSON value."""
    if isinstance(value, str):
        yield way
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from texts_of(inner, (*way, key))


def with_text(value, way, text):
    changed = copy.deepcopy(value)
    inner = changed
    for key in way[:-1]:
        if (isinstance(inner, dict) and key not in inner) or (isinstance(inner, list) and key >= len(inner)):
            return changed
        inner = inner[key]
    if inner and (isinstance(inner, list) or way[-1] in inner) and isinstance(inner[way[-1]], str):
        inner[way[-1]] += text
    return changed


class Commands(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="gpuseq_texts_")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # Pictures, which take seconds, are drawn where a test looks at them: with `drawing`.
        cls.drawing = {**os.environ, "XDG_CACHE_HOME": str(cls.folder / "cache")}
        cls.environment = {**cls.drawing, "GPUSEQ_PYTHON": str(cls.folder / "no-renderer")}
        (cls.folder / "config.json").write_text(json.dumps(CONFIG))
        (cls.folder / "r.fa").write_text(FASTA)
        cls.seed = cls.folder / "seed"
        cls.program("run", "--config", "config.json", "--output", cls.seed, "--no-report", expect=(0,))
        lines = [json.loads(line) for line in (cls.seed / "records.jsonl").read_text().splitlines()]
        provenances = {line["provenance_id"]: line["provenance"] for line in lines if "state" not in line}
        cls.records = [line | {"provenance": provenances[line["provenance"]]} for line in lines if "state" in line]

    @classmethod
    def program(cls, *arguments, expect=None, folder=None, environment=None):
        if arguments[0] in ("report", "compare", "gate", "history"):  # the Python package does it
            environment = {**(environment or cls.environment), "GPUSEQ_PYTHON": cls.drawing.get("GPUSEQ_PYTHON", "")}
        done = subprocess.run([PROGRAM, *map(os.fspath, arguments)], cwd=folder or cls.folder,
                              env=environment or cls.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120)
        words = done.stdout.decode(errors="surrogateescape") + done.stderr.decode(errors="surrogateescape")
        if expect is not None and done.returncode not in expect:
            raise AssertionError(f"{arguments}: exit code {done.returncode}\n{words}")
        return done

    def assert_harmless(self, done, words=None):
        for text in [words] if words is not None else [done.stdout, done.stderr]:
            shown = text.decode()  # fails for what is not UTF-8
            self.assertIsNone(RAW.search(shown), repr(shown[:3000]))
            self.assertIsNone(COMMAND.search(shown), repr(shown[:3000]))
            self.assertNotRegex(shown, r"json\.exception|at line 1\b")

    def assert_file_harmless(self, path):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":  # but for the Vega scripts, which are others' and hold what they like
            text = re.sub(r"<script>.*?</script>", "", text, flags=re.S)
        found = RAW.search(text)
        self.assertIsNone(found, found and (path, repr(text[max(0, found.start() - 100):found.end() + 50])))


class HostileTexts(Commands):
    def forged(self, name, change_record=lambda record: record, change_run=lambda run: run):
        folder = self.folder / name
        shutil.copytree(self.seed, folder)
        lines = []
        for record in self.records:  # with its provenance in it
            record = change_record(copy.deepcopy(record))
            known = hashlib.sha256(json.dumps(record["provenance"]).encode()).hexdigest()[:16]
            for line in ({"provenance_id": known, "provenance": record["provenance"]}, record | {"provenance": known}):
                lines.append(json.dumps(line, separators=(",", ":")) + "\n")
        (folder / "records.jsonl").write_text("".join(lines))
        run = json.loads((folder / "run.json").read_text())
        (folder / "run.json").write_text(json.dumps(change_run(run)))
        return folder

    @staticmethod
    def all_texts(record, text=HOSTILE):
        for way in list(texts_of(record)):
            if way[0] not in STRUCTURE and way[-1] not in WORDS:
                record = with_text(record, way, text)
        return record

    def test_fields_that_may_hold_any_text(self):
        names = iter(range(100))
        def made(text):
            def run(summary):
                for way in list(texts_of(summary)):
                    if way[0] in ("name", "devices", "tuned", "program", "pareto", "config_source"):
                        summary = with_text(summary, way, text)
                return summary
            return self.forged(f"all{next(names)}", lambda record: self.all_texts(record, text), run)
        one, other = made(HOSTILE), made(HOSTILE + "2")
        allowed = "device,driver,problem"
        for arguments in [("validate", one), ("report", one, "--figure", "list"), ("report", one, "--format", "csv,tex"),
                          ("compare", one, other, "--allow", allowed, "--all"),
                          ("machine", one, "--output", one),
                          ("compare", one, other, "--allow", allowed, "--markdown", "-"),
                          ("compare", one, other, "--allow", allowed, "--junit", "-"),
                          ("compare", one, other, "--allow", allowed, "--json", "-"),
                          ("history", "history.jsonl", "--add", one), ("history", "history.jsonl"),
                          ("history", "history.jsonl", "--plot", "history.vl.json"),
                          ("run", "--resume", one, "--no-report"), ("merge", one, "--output", "merged")]:
            with self.subTest(arguments):
                done = self.program(*arguments, environment=self.drawing)
                self.assertIn(done.returncode, (0, 1, 2, 3))
                self.assert_harmless(done)
        self.program("compare", one, other, "--allow", allowed, "--markdown", "c.md", "--junit", "c.xml", "--json", "c.json")
        for path in [*(one / "plots").iterdir(), one / "report.html", one / "machine.json", self.folder / "history.jsonl",
                     self.folder / "history.vl.json", *self.folder.glob("c.*")]:
            with self.subTest(path.name):
                self.assert_file_harmless(path)
        self.assertNotRegex((self.folder / "c.md").read_text(), COMMAND)
        self.assertIn("\\u001b[31m", (one / "report.html").read_text())

    def test_annotations_are_the_only_commands(self):
        slow = lambda record: {**record, "samples_s": [9 * s for s in record["samples_s"]]}
        one = self.forged("a1", self.all_texts)
        other = self.forged("a2", lambda record: slow(self.all_texts(record)))
        done = self.program("compare", one, other, "--allow", "device,driver,problem", "--annotations", "--all")
        words = done.stdout.decode()
        self.assertIsNone(RAW.search(words))
        for line in words.splitlines():
            if COMMAND.search(line):
                self.assertRegex(line, r"^::(error|warning) title=[a-z ]+%3A [a-z_/]+::")

    def test_fields_that_are_refused(self):
        for way in {way for way in texts_of(self.records[-1]) if way[0] in STRUCTURE}:
            with self.subTest(way):
                folder = self.forged("-".join(map(str, way)), lambda record: with_text(record, way, HOSTILE))
                for arguments in [("validate", folder), ("compare", folder, folder), ("report", folder, "--figure", "list"),
                                  ("run", "--resume", folder)]:
                    self.assert_harmless(self.program(*arguments, expect=(0, 1, 2, 3)))
                shutil.rmtree(folder)

    def test_json_that_is_none(self):
        for number, text in enumerate(['{"a":', "[1,2", '{"a":1e999}', "nonsense", '{"a":1}', '"\x1b"', '{"\\u202e":"\\x"}', "\xff"]):
            for name in ["records.jsonl", "run.json", "machine.json", "profiles.json"]:
                folder = self.forged(f"junk-{number}-{name}")
                with open(folder / name, "w", encoding="latin-1") as file:
                    file.write(text + "\n")
                for arguments in [("validate", folder), ("report", folder, "--figure", "list"), ("compare", folder, folder),
                                  ("machine", folder), ("machine", folder / name), ("history", folder / name), ("plan", "--config", folder / name),
                                  ("history", folder / "h", "--add", folder), ("run", "--resume", folder, "--no-report"),
                                  ("merge", folder, "--output", folder / "m", "--no-report"), ("list", "tools", "--tools", folder / name)]:
                    if arguments[0] in ("compare", "history") and name not in ("records.jsonl", "run.json"):
                        continue  # these read no other file
                    with self.subTest((text, name, arguments[0])):
                        self.assert_harmless(self.program(*arguments, expect=(0, 2, 3)))
                shutil.rmtree(folder)

    def test_arguments(self):
        text = HOSTILE.replace("\0", "")
        for last in [text, text + "\udcff"]:
            for arguments in [(last,), (f"--{last}",), ("exec", last), ("exec", "fm_index", f"--{last}"), ("plan", "--set", last),
                              ("plan", "--set", f"name={last}"), ("plan", "--config", last), ("plan", "--device", last),
                              ("plan", "--data", last), ("plan", "--data", f"reference={last}"), ("plan", "--budget", last),
                              ("plan", "--max-bytes", last), ("plan", "--shard", last), ("plan", f"--benchmark_filter=({last}"),
                              ("plan", f"--benchmark_{last}"), ("run", "--resume", last), ("validate", last), ("machine", last),
                              ("machine", last, last), ("report", last), ("report", "seed", "--figure", last),
                              ("report", "seed", "--format", last), ("report", "seed", "--width", last), ("compare", last, "seed"),
                              ("compare", "seed", last), ("compare", "seed", "seed", "--allow", last),
                              ("compare", "seed", "seed", "--deleted", last), ("history", last), ("history", "h", "--state", last),
                              ("merge", last), ("tune", last), ("export", last), ("export", "fm_index", "--point", last),
                              ("export", "fm_index", "--variant", last), ("gate", "--base-cmd", last, "--new-cmd", last, "--output", "g"),
                              ("list", last), ("list", "tools", "--tools", last), ("help", last), ("reproduce", last),
                              ("exec", "fm_index", "--data", last, "--out", "o"), ("exec", "fm_index", "--variant", last),
                              ("exec", "fm_index", "--point", last, "--out", "o"), ("exec", "fm_index", "--problem", last, "--out", "o"),
                              ("exec", "fm_index", "--data", f"reference={last}", "--out", "o"), ("exec", "fm_index", "--cache-dir", last)]:
                with self.subTest(arguments):
                    done = self.program(*(argument.replace("/", "_") if argument == last else argument for argument in arguments))
                    missing_data = arguments[:2] == ("plan", "--data")  # which a plan prints and goes on
                    self.assertIn(done.returncode, (0, 2) if missing_data else (1, 2), done.stderr)
                    self.assert_harmless(done)

    def test_names_of_files_and_in_files(self):
        text = HOSTILE.replace("\0", "").replace("/", "_")
        folder = self.folder / f"names{text}"  # arguments of another test make folders
        folder.mkdir()
        (folder / "c.json").write_text(json.dumps(CONFIG))
        shutil.copy(self.folder / "r.fa", folder / text)
        one_line = re.sub("[\n\r\0]", "", HOSTILE)  # a carriage return within a line of a table is refused
        (folder / "x.csv").write_text(f"name,a,b\n{one_line}A,1,NA\nB,2,1\n")
        data = f"reference={folder / text}"
        for arguments in [("run", "--config", folder / "c.json", "--output", folder / "run", "--data", data),
                          ("validate", folder / "run"), ("report", folder / "run", "--format", "csv,tex"),
                          ("compare", folder / "run", folder / "run", "--all"), ("machine", folder / "run"),
                          ("run", "--resume", folder / "run", "--no-report"),
                          ("exec", "fm_locate", "--data", data, "--data", f"queries={folder / text}", "--out", folder / "out"),
                          ("exec", "pairwise_distance", "--data", f"instances={folder / 'x.csv'}", "--out", folder / "out")]:
            with self.subTest(arguments[0]):
                done = self.program(*arguments)
                self.assertIn(done.returncode, (0, 3), done.stderr)
                self.assert_harmless(done)
        self.assert_file_harmless(folder / "run" / "report.html")
        self.assertIn("\x1b]0;own\x07", (folder / "out").read_text())  # data stays as it is

    def test_forged_caches(self):
        cache = self.folder / "forged"
        shutil.copytree(self.folder / "cache", cache)
        environment = {**self.environment, "XDG_CACHE_HOME": str(cache)}
        for path in [*cache.rglob("winners/*/*.json"), *cache.rglob("cards/*/profile.json")]:
            document = json.loads(path.read_text())
            for way in list(texts_of(document)):
                if way[-1] in ("problem_label", "made", "added", "why", "rate_unit"):
                    document = with_text(document, way, HOSTILE)
            path.write_text(json.dumps(document))
        self.assertTrue([*cache.rglob("winners/*/*.json")])
        for arguments in [("export", "fm_index", "--output", "library"), ("plan", "--config", "config.json"), ("machine", "--show"),
                          ("exec", "fm_index", "--variant", "prefetch", "--data", "reference=r.fa", "--data", "queries=r.fa", "--out", "o")]:
            with self.subTest(arguments):
                self.assert_harmless(self.program(*arguments, environment=environment))
        for path in (self.folder / "library").glob("*.*"):
            self.assert_file_harmless(path)


class Paths(Commands):
    """Paths that are not UTF-8 work in every command or are refused before anything is measured."""


    def setUp(self):
        self.odd = os.fsdecode(os.fsencode(self.folder) + b"/odd\xff" + self._testMethodName.encode())
        os.mkdir(self.odd)

    def inside(self, name):
        return os.path.join(self.odd, name)

    def test_output(self):
        run = self.inside("run")
        for arguments in [("run", "--config", "config.json", "--output", run), ("run", "--resume", run), ("report", run),
                          ("validate", run), ("machine", run), ("compare", run, run), ("history", self.inside("h"), "--add", run),
                          ("history", self.inside("h")), ("merge", run, "--output", self.inside("merged"), "--no-report")]:
            with self.subTest(arguments[0]):
                self.assert_harmless(self.program(*arguments, expect=(0, 3)))
        self.assertTrue(os.path.exists(os.path.join(run, "report.html")))

    def test_recorded_paths_are_refused(self):
        shutil.copy(self.folder / "r.fa", self.inside("r.fa"))
        for arguments in [("--data", f"reference={self.inside('r.fa')}"), ("--set", f"cache_dir={self.inside('c')}"),
                          ("--set", f"output={self.inside('o')}"), (f"--benchmark_out={self.inside('b.json')}",)]:
            with self.subTest(arguments):
                done = self.program("run", "--config", "config.json", "--output", "refused", *arguments, expect=(2,))
                self.assert_harmless(done)
                self.assertIn("UTF-8", done.stderr.decode())
                self.assertFalse((self.folder / "refused").exists())

    def test_unrecorded_paths_work(self):
        shutil.copy(self.folder / "config.json", self.inside("c.json"))
        shutil.copy(self.folder / "r.fa", self.inside("r.fa"))
        environment = {**self.environment, "XDG_CACHE_HOME": self.inside("cache"), "TMPDIR": self.odd, "HOME": self.odd}
        run = self.folder / f"run-{self._testMethodName}"
        for arguments in [("plan", "--config", self.inside("c.json")), ("validate", "--config", "c.json"),
                          ("run", "--config", self.inside("c.json"), "--output", run), ("run", "--resume", run),
                          ("report", run, "--output", self.inside("report")),
                          ("run", "--config", "c.json", "--output", "here"), ("run", "--resume", "here"), ("report", "here"),
                          ("compare", run, "here", "--json", self.inside("c.out"), "--junit", self.inside("x"), "--markdown", "m"),
                          ("exec", "fm_index", "--variant", "prefetch", "--data", f"reference={self.inside('r.fa')}", "--data", "queries=r.fa",
                           "--out", "o"),
                          ("exec", "exact_match", "--data", f"reference={self.inside('r.fa')}", "--data", "queries=r.fa", "--out", "o",
                           "--cache-dir", self.inside("own")),
                          ("export", "fm_index", "--variant", "prefetch", "--default-points", "--output", self.inside("library"))]:
            with self.subTest(arguments):
                slower = (1,) if arguments[0] == "compare" else ()  # by chance, of runs so short
                self.assert_harmless(self.program(*arguments, expect=(0, 3, *slower), folder=self.odd, environment=environment))
        json.loads(pathlib.Path(self.inside("c.out")).read_text())


class SpecialFiles(Commands):
    """A path to no regular file is refused at once wherever a file of our own is read."""


    def special(self):
        pipe, loop, sock = (self.folder / f"{name}-{self._testMethodName}" for name in ("pipe", "loop", "socket"))
        os.mkfifo(pipe)
        loop.symlink_to(loop)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(sock))
        return [pipe, loop, sock, pathlib.Path("/dev/zero")]

    def test_named(self):
        for path in self.special():
            for arguments in [("validate", path), ("compare", path, path), ("compare", "seed", path), ("history", path),
                              ("history", "h", "--add", path), ("machine", path), ("machine", path, path), ("report", path),
                              ("merge", path), ("run", "--resume", path), ("plan", "--config", path), ("validate", "--config", path),
                              ("list", "tools", "--tools", path), ("compare", "seed", "seed", "--deleted", path),
                              ("report", "seed", "--published", path), ("history", path, "--add", "seed"), ("tune", "fm_index", "--config", path)]:
                with self.subTest(arguments):
                    self.assert_harmless(self.program(*arguments, expect=(2,)))

    def test_in_the_place_of_a_file_of_a_run(self):
        for path in self.special():
            for name in ["records.jsonl", "run.json", "machine.json", "profiles.json", "profile-records.jsonl", ".lock"]:
                folder = self.folder / f"{path.name}-{name}"
                shutil.copytree(self.seed, folder)
                (folder / name).unlink(missing_ok=True)
                if path.name.startswith("pipe"):
                    os.mkfifo(folder / name)
                else:
                    (folder / name).symlink_to(path)
                for arguments in [("validate", folder), ("report", folder), ("compare", folder, folder), ("machine", folder),
                                  ("history", self.folder / "h2", "--add", folder), ("run", "--resume", folder, "--no-report"),
                                  ("merge", folder, "--output", self.folder / "m", "--no-report")]:
                    with self.subTest((path.name, name, arguments[0])):
                        done = self.program(*arguments)
                        allowed = (2,) if name == "records.jsonl" else (0, 2, 3)
                        self.assertIn(done.returncode, allowed, done.stderr)
                        self.assert_harmless(done)
                    shutil.rmtree(self.folder / "m", ignore_errors=True)

    def test_data_may_come_from_a_pipe(self):
        done = subprocess.run(["bash", "-c", f"exec '{PROGRAM}' exec fm_index --variant prefetch --data reference=<(cat r.fa) --data queries=<(cat r.fa) --out piped"],
                              cwd=self.folder, env=self.environment, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.program("exec", "fm_index", "--variant", "prefetch", "--data", "reference=r.fa", "--data", "queries=r.fa", "--out", "read", expect=(0,))
        self.assertEqual((self.folder / "piped").read_text(), (self.folder / "read").read_text())


if __name__ == "__main__":
    unittest.main(verbosity=2)
