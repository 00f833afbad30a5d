"""Fails if a relative link of a Markdown document leads nowhere, or to an anchor that its target does not have.

Usage: check_links.py ROOT

Files are those that git tracks, as others have no more; without git all outside of folders that a build makes. Links
with a scheme (https:) are not followed.
"""

import pathlib
import re
import subprocess
import sys
import urllib.parse

MADE_BY_BUILDS = {"build", "runs", "cache", ".git", ".venv", ".deps"}
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^()\s<>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s<>]+)", re.MULTILINE)
HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
HTML_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")


def files_of(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        found = (root / name for name in listed.stdout.split("\0") if name)
    else:
        found = (path for path in root.rglob("*") if not MADE_BY_BUILDS & set(path.relative_to(root).parts))
    return {path for path in found if path.is_file()}


def blank(match):
    """Spaces of the same length: places behind it stay where they are."""
    return re.sub(r"[^\n]", " ", match.group(0))


def without_fences(text):
    return FENCE.sub(blank, text)


def anchors(path):
    """Names of a document's headings, as GitHub makes them."""
    text = without_fences(path.read_text(encoding="utf-8"))
    names, seen = set(HTML_ANCHOR.findall(text)), {}
    for heading in HEADING.findall(text):
        shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def wrong_links(root, files):
    targets = files | {folder for path in files for folder in path.parents}
    for path in sorted(path for path in files if path.suffix == ".md"):
        text = CODE_SPAN.sub(blank, without_fences(path.read_text(encoding="utf-8")))
        for match in sorted([*LINK.finditer(text), *DEFINITION.finditer(text)], key=lambda m: m.start()):
            link = match.group(1)
            if SCHEME.match(link):
                continue
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, match.start(1)) + 1}: {link}"
            file, _, anchor = link.partition("#")
            target = (path.parent / urllib.parse.unquote(file)).resolve() if file else path
            if not target.is_relative_to(root):
                yield f"{place}: outside of the repository"
            elif target not in targets:
                yield f"{place}: no such file or folder is tracked"
            elif anchor and target.suffix == ".md" and urllib.parse.unquote(anchor) not in anchors(target):
                yield f"{place}: {target.relative_to(root)} has no such heading"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1]).resolve()
    files = files_of(root)
    found = list(wrong_links(root, files))
    if not any(path.suffix == ".md" for path in files):
        found.append(f"{root}: no documents are here")
    print("\n".join(found) or "every link resolves")
    sys.exit(1 if found else 0)
