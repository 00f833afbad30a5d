"""Fails if documents break a rule of our prose, or if the program's words or comments break one more often than committed.

Usage: check_prose.py ROOT [--accept]     --accept: commits the counts of generated pages, messages and comments

Rules: R2 no sentence begins with "Of"; R3 `what` asks questions only; R6 "per" in rates; R7 a kernel reaches a rate;
R8 "with 16 threads", "next to"; R10 an agent has a name; R12 the present tense, but in docs/lab-notes; R16 no calques.
Documents obey all of them. Their sentences have 16 words on average; at most 2 % have more than 35 words or four and more numbers.
"""

import ast
import json
import pathlib
import re
import subprocess
import sys

COUNTS = "tests/prose_counts.json"
# Pages that programs write from schemas, --help and records.
HELP = "docs/reference/cli.md"  # whose fences have the help
GENERATED = re.compile(r"docs/reference/(cli|config|configs|record|profile|variants|tools|queries|exit-codes)\.md|docs/results/reproduction\.md")
LOGS = {"CHANGELOG.md", "docs/lab-notes/changes-0.2.md"}  # which are kept as they were written
HISTORY = re.compile(r"docs/lab-notes/")
MOST = {"words per sentence": 16.0, "sentences over 35 words, %": 2.0, "sentences with four and more numbers, %": 2.0,
        "what per 10 000 words": 10.0}
COUNTED = (r"\d[\d.,]*\d|[GMTk]i?B|bytes|bases|cells|accesses|operations|comparisons|positions|blocks|bits|instructions|queries|look-ups|words|"
           r"sequences|times|once|twice|clocks|lines|seconds|samples|loads|rows|launches|addresses|pages|reads|sectors|tokens|ms|us|clk|\bone")
UNIT = (r"second|minute|hour|day|query|step|joule|base|launch|read|cell|warp|thread|line|state|pair|lane|row|case|clock|cycle|multiprocessor|"
        r"side|process|device|position|commit|run|block|word|access|record|case|problem|sample|SM|core")
RULES = {
    "R2": re.compile(r"^Of "),
    "R3": re.compile(r"(?<!@param )\b[Ww]hat\b(?!.*\?$)"),  # WHAT is a placeholder, and parameters have this name
    "R6": re.compile(rf"\b(?:{COUNTED}) an? (?:{UNIT})\b"),
    "R7": re.compile(r"\b(?:do|does|did) (?:up to |about |only |at (?:most|least) )?\d"),
    "R8": re.compile(r"\bby (?:one|two|four|eight|all|several|many|\d+) threads?\b|\bbeside\b", re.IGNORECASE),
    "R10": re.compile(r"\b(?:nobody|somebody|whoever|anybody|no one|someone|anyone)\b", re.IGNORECASE),
    "R12": re.compile(r"\bhad been\b|\bof before\b|\bsince then\b|\bcommits? [0-9a-f]{7,}|\bpredicted w(?:as|ere)\b|\bwas to be\b", re.IGNORECASE),
    "R16": re.compile(r"\banew\b|\bheld to\b|\bin place of\b|\btold apart\b|\bmakes? room\b|\btak(?:es?|en) along\b|\bbe had\b|\bstands?\b(?! for)",
                      re.IGNORECASE),
}
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
BLOCK_BEGIN = re.compile(r"\s*(?:[-*+] |\d+\. |#{1,6} |> |:::|!!!|\?\?\?)")
END = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[A-Z0-9`\"'(*\[])")
CAPTION = " (table)"
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|et al|vs|cf|Fig|No|approx)\.")
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|\d[\w.,%]*")
NUMBER = re.compile(r"(?<![\w.^-])\d+(?: \d{3}(?!\d))*(?:[.,]\d+)*")


def plain(text):
    """The text of a page without code, pictures, comments and targets of links."""
    text = re.sub(r"<!--.*?-->", "", FENCE.sub("\n", text), flags=re.DOTALL)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)(?:\{[^}]*\})?", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "Code", text, flags=re.DOTALL)
    return re.sub(r"</?[a-z][^>]*>|\*\*|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)", "", text)


def blocks(text):
    """(words, is it a paragraph) of each paragraph, list item, heading and cell of a table."""
    lines, found, current = plain(text).split("\n"), [], []

    def close():
        if current:
            found.append((" ".join(current), True))
            current.clear()

    for line in lines:
        indented_code = line.startswith("    ") and not current and not re.match(r"\s+(?:[-*+] |\d+\. )", line)
        if not line.strip() or indented_code:
            close()
        elif line.lstrip().startswith("|"):
            close()
            if found and found[-1][0].endswith(":"):  # the caption of the table
                found[-1] = (found[-1][0] + CAPTION, True)
            found += [(cell.strip(), False) for cell in line.strip().strip("|").split("|") if re.search("[A-Za-z]", cell)]
        elif BLOCK_BEGIN.match(line):
            close()
            heading = line.startswith("#")
            current.append(BLOCK_BEGIN.sub("", line, count=1).strip())
            if heading:
                found.append((current.pop(), False))
        else:
            current.append(line.strip())
    close()
    return found


def sentences(block):
    return [one for one in END.split(ABBREVIATION.sub(lambda match: match[0].replace(".", ""), block)) if WORD.search(one)]


def findings(text, rules=RULES):
    """(rule, sentence) of each broken rule of a page."""
    for block, _ in blocks(text):
        for sentence in sentences(block):
            for rule, pattern in rules.items():
                yield from ((rule, sentence) for _ in pattern.finditer(sentence))


def measures(texts):
    words = count = long = numbers = what = 0
    for text in texts:
        for block, paragraph in blocks(text):
            words += len(WORD.findall(block)) if not paragraph else 0
            for sentence in sentences(block) if paragraph else ():
                length = len(WORD.findall(sentence))
                words, count = words + length, count + 1
                long += length > 35
                numbers += len(NUMBER.findall(sentence)) >= 4 and not sentence.endswith(CAPTION)
            what += len(re.findall(r"\bwhat\b", block, re.IGNORECASE))
    in_sentences = sum(len(WORD.findall(block)) for text in texts for block, paragraph in blocks(text) if paragraph)
    return {"words": words, "sentences": count, "words per sentence": in_sentences / max(count, 1),
            "sentences over 35 words, %": 100 * long / max(count, 1), "sentences with four and more numbers, %": 100 * numbers / max(count, 1),
            "what per 10 000 words": 1e4 * what / max(words, 1)}


def comments(path, text):
    """The comments and docstrings of a source, a paragraph a comment."""
    if path.suffix == ".py":
        nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
        parts = [ast.get_docstring(node) or "" for node in nodes] + re.findall(r"(?m)^\s*# (.*)", text)
        return "\n\n".join(parts)
    runs = re.findall(r"(?:^[ \t]*///?<? ?.*\n)+|(?<=[;{},)])[ \t]+///?<? .*\n", text, re.MULTILINE)
    return "\n\n".join(re.sub(r"(?m)^[ \t]*///?<? ?", "", run).strip() for run in runs)


def sources(root):
    """Texts by group: documents by name, and joined texts of all that may only get better."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    documents, counted = {}, {"generated": [], "help": [], "messages": [], "comments": []}
    for name in filter(None, listed):
        path = root / name
        if not path.is_file() or name in LOGS:
            continue
        if path.suffix == ".md" and GENERATED.fullmatch(name):
            counted["generated"].append(path.read_text(encoding="utf-8"))
            if name == HELP:
                counted["help"] += (re.sub(r"(?m)^ +", "", fence[0].strip("`~")) for fence in FENCE.finditer(counted["generated"][-1]))
        elif path.suffix == ".md":
            documents[name] = path.read_text(encoding="utf-8")
        elif name.startswith("tests/golden/texts/"):
            counted["messages"].append(re.sub(r"(?m)^  ", "", path.read_text(encoding="utf-8")))
        elif path.suffix in {".cpp", ".hpp", ".cuh", ".py"}:
            counted["comments"].append(comments(path, path.read_text(encoding="utf-8")))
    return documents, counted


def of_rules(text):
    counts = dict.fromkeys(RULES, 0)
    for rule, _ in findings(text):
        counts[rule] += 1
    return counts


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--accept"]
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0]).resolve()
    documents, counted = sources(root)
    wrong = []
    for name, text in sorted(documents.items()):
        rules = {rule: pattern for rule, pattern in RULES.items() if rule != "R12" or not HISTORY.match(name)}
        wrong += [f"{name}: {rule}: {sentence[:150]}" for rule, sentence in findings(text, rules)]
    for measure, value in measures(documents.values()).items():
        print(f"documents: {measure}: {value:.1f}" if isinstance(value, float) else f"documents: {measure}: {value}")
        if value > MOST.get(measure, value):
            wrong.append(f"documents: {measure}: {value:.1f}; allowed: {MOST[measure]}")
    counts = {group: of_rules("\n\n".join(texts)) for group, texts in counted.items()}
    file = root / COUNTS
    if "--accept" in sys.argv[1:]:
        file.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
    allowed = json.loads(file.read_text(encoding="utf-8"))
    for group, found in counts.items():
        print(f"{group}: " + ", ".join(f"{rule} {count}" for rule, count in found.items()))
        wrong += [f"{group}: {rule}: {count}; allowed: {allowed[group][rule]}" for rule, count in found.items() if count > allowed[group][rule]]
    if not wrong and counts != allowed:
        print("fewer than committed: check_prose.py . --accept commits the counts")
    print("".join(line + "\n" for line in wrong), end="")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
