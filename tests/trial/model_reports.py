"""Reports about trees, alignments and profile models: another spelling of a file must give the same answer."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from case import REFUSED, Case, Report, fasta, planted

MODELS = Path("/usr/share/doc/hmmer/examples/tutorial")  # Debian's hmmer-examples

Spelling = Callable[[random.Random, str], str]


def random_tree(generator: random.Random, names: Sequence[str], spell: Callable[[str], str], length: Callable[[], str]) -> str:
    nodes = [spell(name) for name in names]
    while len(nodes) > 3:
        left, right = (nodes.pop(generator.randrange(len(nodes))) for _ in range(2))
        nodes.append(f"({left}:{length()},{right}:{length()})")
    return "(" + ",".join(f"{node}:{length()}" for node in nodes) + ");"


def placed(program: str, names: Callable[[random.Random, int], str], spell: Callable[[str], str],
           lengths: Callable[[random.Random], str]) -> Callable[[random.Random], Case]:
    """Reads aligned to a tree whose labels or lengths are spelled otherwise: the scores are those of the plain spelling."""
    def make(generator: random.Random) -> Case:
        count, sites = generator.randint(4, 9), generator.randint(40, 90)
        plain = [f"t{i}" for i in range(count)]
        odd = [names(generator, i) for i in range(count)]
        ancestor = generator.choices("ACGT", k=sites)
        rows = ["".join(generator.choice("ACGT-") if generator.random() < 0.2 else letter for letter in ancestor) for _ in plain]
        reads = [(f"q{i}", read) for i, read in enumerate(planted(generator, [row.replace("-", "") for row in rows], 6, 8, 30))]
        seed = generator.getrandbits(32)
        trees = [random_tree(random.Random(seed), of, by, lambda of_lengths=how: of_lengths(random.Random(seed)))
                 for of, by, how in ((plain, str, lambda _: "0.1"), (odd, spell, lengths))]
        files: dict[str, bytes] = {"queries.fa": fasta(reads).encode()}
        for kind, of, tree in (("plain", plain, trees[0]), ("odd", odd, trees[1])):
            files[f"{kind}.fa"] = fasta(list(zip(of, rows, strict=True))).encode()
            files[f"{kind}.nwk"] = tree.encode()

        def arguments(kind: str) -> list[str]:
            return ["exec", "papara", "--data", f"alignment={kind}.fa", "--data", f"tree={kind}.nwk", "--data", "queries=queries.fa"]

        def check(folder: Path, _output: str) -> str | None:
            done = subprocess.run([program, *arguments("plain"), "--out", "right"], cwd=folder, capture_output=True, check=False)
            if done.returncode != 0:
                return "the plain spelling is refused: " + done.stderr.decode(errors="replace")[:200]
            return None if (folder / "out").read_bytes() == (folder / "right").read_bytes() else "not the plain spelling's scores"

        return Case(files, arguments("odd"), check)

    return make


def quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def proteins(program: str, change: Spelling, right: str | None = None) -> Callable[[random.Random], Case]:
    """Proteins of which hmmsearch says how many pass its filters; we must refuse the same."""
    def make(generator: random.Random) -> Case:
        model = generator.choice(["globins4", "fn3", "Pkinase"])
        source = re.sub(r"[^A-Z]", "", (MODELS / "globins45.fa").read_text().split("\n", 1)[1].upper())
        letters = "ACDEFGHIKLMNPQRSTVWY"
        records = []
        for i in range(generator.randint(3, 25)):
            begin = generator.randrange(len(source) - 150)
            body = source[begin:begin + 150] if generator.random() < 0.5 else "".join(generator.choices(letters, k=120))
            records.append((f"p{i}", change(generator, body)))
        files = {"x.fa": fasta(records).encode(), "x.hmm": (MODELS / f"{model}.hmm").read_bytes()}

        def check(folder: Path, output: str) -> str | None:
            theirs = subprocess.run(["hmmsearch", "x.hmm", "x.fa"], cwd=folder, capture_output=True, text=True, check=False)
            if theirs.returncode != 0:
                return "hmmsearch refuses it: " + theirs.stderr.strip()
            for name in ("MSV", "bias", "Vit"):
                counts = [re.search(rf"Passed {name} filter: +(\d+)", text) for text in (theirs.stdout, output)]
                if not all(counts) or len({count.group(1) for count in counts if count}) != 1:
                    return f"Passed {name} filter: {[count and count.group(1) for count in counts]} (hmmsearch's first)"
            return None

        return Case(files, ["exec", "profile_hmm", "--data", "models=x.hmm", "--data", "sequences=x.fa"], right or check)

    return make


def stops(generator: random.Random, body: str) -> str:
    at = generator.randrange(len(body))
    return generator.choice([body + "*", body[:at] + "*" + body[at:], body])


def with_letter(letter: str) -> Spelling:
    return lambda generator, body: body[:30] + letter + body[30:]


def ambiguous(generator: random.Random, body: str) -> str:
    return "".join(generator.choice("XBZJUO") if generator.random() < 0.05 else letter for letter in body)


def reports(program: str) -> Sequence[Report]:
    exponent = lambda generator: f"{generator.random():.6f}{generator.choice(['e-1', 'E-4', 'e+0', 'E2'])}"  # noqa: E731
    plain = lambda _: "0.1"  # noqa: E731
    name = lambda _, i: f"t{i}"  # noqa: E731
    trees = (
        Report("https://github.com/biopython/biopython/issues/220", "branch lengths with exponents", placed(program, name, str, exponent)),
        Report("https://github.com/zhangrengang/phytop/issues/26", "branch lengths with a capital E",
               placed(program, name, str, lambda generator: f"{generator.random()}E-{generator.randint(1, 9)}")),
        Report("https://github.com/biopython/biopython/issues/664", "negative branch lengths",
               placed(program, name, str, lambda generator: str(-generator.random()))),
        Report("https://github.com/evolbioinfo/gotree/issues/29", "colons in quoted labels",
               placed(program, lambda _, i: f"t:{i}", quoted, plain)),
        Report("https://github.com/biopython/biopython/issues/887", "parentheses, commas and quotes in quoted labels",
               placed(program, lambda generator, i: generator.choice(["a(b)", "c,d", "it's", "x;y", "[z]"]) + str(i), quoted, plain)),
    )
    if not MODELS.is_dir() or not shutil.which("hmmsearch"):
        print("left out: reports of profile models, as hmmsearch or its examples (Debian's hmmer, hmmer-examples) are missing")
        return trees
    return (
        *trees,
        Report("https://github.com/EddyRivasLab/hmmer/issues/135", "stops in proteins", proteins(program, stops)),
        Report("https://github.com/EddyRivasLab/hmmer/issues/334", "a gap in proteins", proteins(program, with_letter("-"), REFUSED)),
        Report("https://github.com/NBISweden/GUESSmyLT/issues/18", "characters that are no residues",
               proteins(program, with_letter("%"), REFUSED)),
        Report("https://github.com/EddyRivasLab/hmmer/issues/189", "ambiguous residues", proteins(program, ambiguous)),
    )
