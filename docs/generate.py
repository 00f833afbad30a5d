#!/usr/bin/env python3
"""Writes the pages of docs/ that programs and files state: the reference from --help, `list` and schemas, and tables of records.

Usage: generate.py [--check] PROGRAM     --check: exit code 1 if a page differs from its sources
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "reports"))

from decisions import decisions, levels
from gpuseq import COLUMNS
from gpuseq.reference.pages import Source, seconds_of

COMMANDS = {
    "Measure": ["run", "plan", "probe", "machine", "tune", "choose", "reproduce", "slurm", "compile"],
    "Read records": ["report", "query", "merge", "migrate", "validate"],
    "Compare": ["compare", "gate", "history"],
    "Use a kernel": ["exec", "export"],
    "Look after the program": ["list", "doctor", "selftest", "cache", "help", "manual", "completion"],
}
ANY = re.compile(r"#/definitions/(\w+)")


def begin(title, sources):
    return f"# {title}\n\n<!-- Written by docs/generate.py from {sources}. A test compares. -->\n\n"


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(cell, row)) + " |" for row in rows]) + "\n"


class Program:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def print(self, *arguments):
        environment = {**os.environ, "GPUSEQ_ROOT": str(ROOT), "GPUSEQ_PYTHON": sys.executable, "NO_COLOR": "1", "COLUMNS": "80"}
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, env=environment, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def help(self, *command):
        return self.print(*command, "--help").strip("\n")


def cli(program):
    text = begin("Commands", "`--help`") + "    gpuseq-bench [COMMAND] [OPTIONS]\n\n"
    text += "`exec FAMILY --help` prints the options of a family; its [variants and axes](variants.md) have a page of their own.\n\n"
    listed = {command for commands in COMMANDS.values() for command in commands}
    known = set(re.findall(r"(?m)^  (\w+) {2,}\S", program.help().split("Subcommands:")[1].split("\n\n")[0]))
    if listed != known:
        raise SystemExit(f"docs/generate.py lists other commands than the program: {sorted(listed ^ known)}")
    general = program.help("run")
    end = general[general.index("\nWithout a subcommand"):]
    for heading, commands in COMMANDS.items():
        text += f"## {heading}\n\n"
        for command in commands:
            text += f"### {command}\n\n```text\n{program.help(command).replace(end, '')}\n```\n\n"
    return text + f"## Flags of Google Benchmark\n\n```text\n{end.strip().split(chr(10) + 'Exit codes')[0]}\n```\n"


def exit_codes(program):
    rows = []
    for command in ["run", *sorted(command for commands in COMMANDS.values() for command in commands if command not in ("run", "probe"))]:
        head, _, tail = program.help(command).partition("Usage:")
        words = " ".join([*head.split(), *(word for line in tail.splitlines() if re.match(r"\S", line) for word in line.split())])
        if found := re.search(r"Exit codes?:? (.*?)(?= gpuseq-bench | Options:|$)", words):
            rows.append((f"`{command}`", found[1]))
    return (begin("Exit codes", "`--help`") + "Commands without a row have the codes of `run`.\n\n" + table(("command", "exit codes"), rows))


def words_of(schema, definitions):
    """The type or the values of a schema, and its description."""
    name = ""
    if found := ANY.fullmatch(schema.get("$ref", "")):
        name, target = found[1], definitions[found[1]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    kind = schema.get("type")
    if "enum" in schema:
        kind = ", ".join("null" if value is None else f"`{value}`" for value in schema["enum"])
    elif "const" in schema:
        kind = f"`{schema['const']}`"
    elif kind is None:
        kind = name or "see there"
    if isinstance(kind, list):
        kind = " or ".join(kind)
    return kind, schema.get("description", ""), schema


def fields(schema, definitions, path=""):
    """(path, type, description) of all properties below a schema; repeated definitions are listed once, in their first place."""
    found, seen = [], set()

    def walk(part, place):
        if reference := ANY.fullmatch(part.get("$ref", "")):
            if reference[1] in seen and "properties" in definitions[reference[1]]:
                return
            seen.add(reference[1])
        _, _, part = words_of(part, definitions)
        for option in part.get("allOf", []):
            walk(option, place)
        for key, value in part.get("properties", {}).items():
            kind, meaning, _ = words_of(value, definitions)
            found.append((f"`{place}{key}`", kind, meaning))
            walk(value, f"{place}{key}.")
        if isinstance(part.get("items"), dict):
            walk(part["items"], place.removesuffix(".") + "[].")
        if isinstance(part.get("additionalProperties"), dict):
            walk(part["additionalProperties"], place + "*.")

    walk(schema, path)
    return found


def grouped(rows):
    """Rows with a meaning; fields without one join the row of the object that has them."""
    kept, within = {}, {}
    for path, kind, meaning in rows:
        name = path.strip("`")
        parent = name
        while parent and (parent == name or parent not in kept):
            parent = re.sub(r"(\[\]|\.\*)*$", "", parent.rpartition(".")[0])
        described = meaning or any(other.strip("`").startswith((name + ".", name + "[")) and text for other, _, text in rows)
        if described or not parent:
            kept[name] = [path, kind, meaning]
        else:
            values = f" ({kind.replace('`', '')})" if "`" in kind else ""
            inside = re.sub(r"^(\[\]|\.\*)*\.", "", name.removeprefix(parent))
            within.setdefault(parent, []).append(f"`{inside}`{values}")
    return [(*row, ", ".join(within.get(name, []))) for name, row in kept.items()]


def schema_page(file, title, text, part=None):
    schema = json.loads((ROOT / file).read_text(encoding="utf-8"))
    definitions = schema.get("definitions", {})
    rows = grouped(fields(definitions[part] if part else schema, definitions))
    return begin(title, f"`{file}`") + f"{text}\n\n" + table(("field", "type or values", "meaning", "its fields"), rows)


def record_page():
    return schema_page("results/record.schema.json", "Fields of a record",
                       "Each line of `records.jsonl` is a record, or a provenance that records refer to by `provenance_id`. "
                       "[Reading the output](../start/reading-output.md#a-record) shows one.", "record")


def profile_page():
    return schema_page("configs/machine.schema.json", "Machine profiles",
                       "`machine.json` of a run. [A profile of a machine](../guides/machine-profile.md) shows how to make and compare them.")


def config_page():
    return schema_page("configs/schema.json", "Keys of a config",
                       "A config is a JSON file. [Configs](configs.md) lists those of this repository. A mistake is reported with its place.")


def tools_page(listed):
    text = schema_page("configs/tools/tools.schema.json", "Files of external tools",
                       "The guide is [external tools](../guides/external-tools.md).")
    rows = [(f"`{name}`", tool["family"], tool.get("device", "cpu"), tool.get("package", "") or tool.get("built_by", "") or tool.get("checkout", ""), tool["summary"])
            for name, tool in sorted(listed["tools"].items())]
    return text + "\n## Tools of `configs/tools/tools.json`\n\n" + table(("tool", "family", "device", "from", "summary"), rows)


def run_configs():
    files = sorted((ROOT / "configs").rglob("*.json"))
    contents = {file.relative_to(ROOT / "configs").as_posix(): json.loads(file.read_text(encoding="utf-8"))
                for file in files if not file.name.endswith("schema.json")}
    return {name: content for name, content in contents.items() if "sampling" in content}


def configs_page(listed):
    devices = {(family["name"], variant["name"]): variant["device"] for family in listed["families"] for variant in family["variants"]}
    rows, runs = [], Source().summaries
    for name, config in run_configs().items():
        used = sorted({devices.get((family, variant), "cpu") for family, content in config.get("families", {}).items()
                       for variant in content.get("variants", {})}) or ["cpu", "cuda"]
        like = [f"{seconds_of(run)[1]} s ([{folder}](../../results/{folder}))" for folder, run in runs.items()
                if run.get("config", {}).get("families") == config.get("families") and config.get("families")]
        rows.append((f"`{name}`", config.get("description", ""), ", ".join("GPU" if device == "cuda" else "CPU" for device in used),
                     "<br>".join(like[:2])))
    return (begin("Configs", "`configs/`") + "`--config NAME` takes a name of this table, a file, or the `run.json` of a run. "
            "`plan --config NAME` estimates the time on the machine at hand. The last column has times of committed runs of the same families.\n\n"
            + table(("config", "purpose", "devices", "time"), rows))


def axis_rows(axes):
    return [(f"`{axis['name']}`", axis["allowed"], f"`{axis['default']}`", axis["meaning"]) for axis in axes]


def shared_axes(variants):
    """Axes by name and meaning, with the variants that have them."""
    rows = {}
    for variant in variants:
        for axis in variant["axes"]:
            key = (axis["name"], axis["allowed"], str(axis["default"]), axis["meaning"])
            rows.setdefault(key, []).append(variant["name"])
    count = len(variants)
    return [(f"`{name}`", allowed, f"`{default}`", meaning, "all" if len(names) == count else ", ".join(names))
            for (name, allowed, default, meaning), names in rows.items()]


def variants_page(listed):
    text = begin("Families, variants and axes", "`list --json`") + "An axis that a config leaves out has its default.\n"
    for family in listed["families"]:
        grows = family.get("grows_by")
        text += f"\n## {family['name']}\n\n{family['summary']}. [How it works](../../kernels/{family['name']}/README.md).\n\n"
        if grows:
            text += f"`{grows['axis']}` may be `\"auto\"`: the run finds a size that fills each device.\n\n"
        text += table(("variant", "device", "summary"), [(f"`{one['name']}`", one["device"], one["summary"]) for one in family["variants"]])
        text += "\nAxes of the problem:\n\n" + table(("axis", "values", "default", "meaning"), axis_rows(family["problem_axes"]))
        for device, word in (("cpu", "CPU"), ("cuda", "CUDA")):
            if variants := [one for one in family["variants"] if one["device"] == device]:
                text += f"\nAxes of {word} variants:\n\n" + table(("axis", "values", "default", "meaning", "variants"), shared_axes(variants))
    return text


def queries_page():
    text = begin("Columns for queries", "`gpuseq.COLUMNS`")
    text += "`query` runs one SELECT statement of DuckDB over the table `records`. `gpuseq.records(RUN)` returns the same table in Python.\n\n"
    text += "    gpuseq-bench query \"SELECT variant, max(rate) AS best FROM records WHERE settled GROUP BY variant ORDER BY best DESC\" runs/a\n"
    text += "    gpuseq-bench query \"SELECT * FROM records\" runs/a runs/b --format parquet --output records.parquet\n\n"
    rows = [(f"`{name}`", meaning) for name, meaning in COLUMNS.items()]
    rows += [("`problem_<axis>`, `point_<axis>`, `fact_<name>`", "the axes and facts that the records have")]
    return text + table(("column", "meaning"), rows)


def with_block(file, name, block):
    """A page whose block between its markers is written again."""
    text = (ROOT / "docs" / file).read_text(encoding="utf-8")
    marked = re.compile(rf"(<!-- {name}: written by docs/generate.py -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    text, count = marked.subn(lambda match: match[1] + block + match[2], text)
    if count != 1:
        raise SystemExit(f"docs/{file} has {count} blocks {name}")
    return text


def pages(program):
    listed = json.loads(program.print("list", "--json"))
    listed["tools"] = json.loads((ROOT / "configs/tools/tools.json").read_text(encoding="utf-8"))["tools"]
    return {
        "reference/cli.md": cli(program), "reference/exit-codes.md": exit_codes(program), "reference/config.md": config_page(),
        "reference/configs.md": configs_page(listed), "reference/record.md": record_page(), "reference/profile.md": profile_page(),
        "reference/tools.md": tools_page(listed), "reference/variants.md": variants_page(listed), "reference/queries.md": queries_page(),
        "results/index.md": with_block("results/index.md", "decisions", decisions()),
        "results/memory.md": with_block("results/memory.md", "levels", levels()),
    }


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    stale = []
    for name, text in pages(Program(arguments[0])).items():
        file = ROOT / "docs" / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(str(file.relative_to(ROOT)))
            if "--check" not in sys.argv[1:]:
                file.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv[1:]:
        raise SystemExit(f"differ from the program and schemas: {', '.join(stale)}: run docs/generate.py")


if __name__ == "__main__":
    main()
