"""Fails if the words of an SVG cannot be read: two overlap, one leaves the picture or is smaller than 7 points, a line or a
mark crosses a label next to marks or guides, or an axis of numbers has one label and no other.

Usage: check_labels.py [--bare] FILE.svg...   (pictures of Vega; text is measured with Liberation Sans)

--bare: they are to be no higher than 0.8 of their width, and no letter larger than 9 points.
"""

import functools
import math
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

from fontTools.ttLib import TTFont

FONTS = pathlib.Path("/usr/share/fonts/truetype/liberation")
SVG = "{http://www.w3.org/2000/svg}"
SMALLEST, LARGEST = 7, 9
HIGHEST = 0.8  # of the width
TOUCH = 1.0  # overlap of so many points is not seen: boxes are taller than letters
NUMBER = r"-?[\d.]+(?:e-?\d+)?"


@functools.cache
def font(weight):
    file = TTFont(FONTS / ("LiberationSans-Bold.ttf" if weight == "bold" else "LiberationSans-Regular.ttf"))
    return file.getBestCmap(), file["hmtx"], file["head"].unitsPerEm


def text_width(text, size, weight):
    cmap, advances, units = font(weight)
    return sum(advances[cmap.get(ord(letter), ".notdef")][0] for letter in text) * size / units


def moved(matrix, transform):
    """Matrix (a, b, c, d, e, f) of an element inside another."""
    for name, arguments in re.findall(r"(\w+)\(([^)]*)\)", transform or ""):
        values = [float(v) for v in re.findall(NUMBER, arguments)]
        if name == "translate":
            step = (1, 0, 0, 1, values[0], values[1] if len(values) > 1 else 0)
        elif name == "rotate":
            angle = math.radians(values[0])
            step = (math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle), 0, 0)
        else:
            raise ValueError(f"unknown transform {name}")
        a, b, c, d, e, f = matrix
        g, h, i, j, k, l = step
        matrix = (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f)
    return matrix


def box(matrix, left, top, right, bottom):
    corners = [
        (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
        for x in (left, right)
        for y in (top, bottom)
    ]
    xs, ys = zip(*corners)
    return min(xs), min(ys), max(xs), max(ys)


def is_rim(text):
    """That of a label, which is drawn over it."""
    return text.get("stroke") == "white"


def lines_of(text, matrix):
    """(text, font size, bounding box) of every line of a text."""
    size = float(text.get("font-size", "10px").removesuffix("px"))
    lines = [(text.text, 0.0)] if text.text else []
    x, y = 0.0, 0.0
    for span in text.findall(SVG + "tspan"):
        x, y = float(span.get("x", x)), y + float(span.get("dy", 0))
        lines.append((span.text or "", y))
    anchor = {"middle": 0.5, "end": 1.0}.get(text.get("text-anchor"), 0.0)
    for line, baseline in lines:
        width = text_width(line, size, text.get("font-weight"))
        left = -anchor * width
        yield line, size, box(matrix, left, baseline - 0.72 * size, left + width, baseline + 0.2 * size)


def at(matrix, x, y):
    return matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5]


def segments_of(element, matrix):
    """The straight strokes of a rule or of a line, as Vega writes them."""
    if element.tag == SVG + "line":
        yield at(matrix, 0, 0), at(matrix, float(element.get("x2", 0)), float(element.get("y2", 0)))
        return
    x = y = 0.0
    before = None
    for command, numbers in re.findall(r"([MLHVhv])([^A-Za-z]*)", element.get("d", "")):
        values = [float(v) for v in re.findall(NUMBER, numbers)]
        steps = {
            "H": [(v, y) for v in values],
            "V": [(x, v) for v in values],
            "h": [(x + v, y) for v in values],
            "v": [(x, y + v) for v in values],
        }.get(command, list(zip(values[::2], values[1::2])))
        for x, y in steps:
            here = at(matrix, x, y)
            if before is not None and command != "M":
                yield before, here
            before = here


def symbol_box(element, matrix):
    # Corners are as far from the middle as they are; steps from one to the next ("h8") are twice that.
    places = re.sub(r"[hv]" + NUMBER, "", element.get("d", ""))
    radius = max((abs(float(v)) for v in re.findall(NUMBER, places)), default=0.0)
    return box(matrix, -radius, -radius, radius, radius)


class Picture:
    """The checked parts of an SVG: all texts, those next to marks and their rims, and shapes that may cross these."""

    def __init__(self, root):
        self.texts, self.labels, self.rims, self.grid, self.strokes, self.symbols = [], [], [], [], [], []
        self.axes = []  # (what Vega says of it, its labels)
        self.collect(root, (1, 0, 0, 1, 0, 0), "")

    def collect(self, element, matrix, kind):
        matrix = moved(matrix, element.get("transform"))
        kind = element.get("class", kind) if element.tag == SVG + "g" and element.get("class") else kind
        said = element.get("aria-label") or ""
        if re.match(r"[XY]-axis", said):
            self.axes.append((said, []))
        seen = float(element.get("opacity", "1")) > 0
        if element.tag == SVG + "text" and seen:
            self.add_text(element, matrix, kind)
        elif kind.startswith(("mark-line", "mark-rule")) and element.tag in (SVG + "line", SVG + "path"):
            if "role-axis-grid" in kind:
                self.grid.extend(segments_of(element, matrix))
            elif "role-mark" in kind:
                self.strokes.extend(segments_of(element, matrix))
        elif kind.startswith("mark-symbol role-mark") and element.tag == SVG + "path" and seen:
            self.symbols.append(symbol_box(element, matrix))
        for child in element:
            self.collect(child, matrix, kind)

    def add_text(self, element, matrix, kind):
        found = [line for line in lines_of(element, matrix) if line[0].strip()]
        if is_rim(element):
            self.rims.extend(found)
            return
        self.texts.extend(found)
        if kind.startswith("mark-text role-mark"):
            self.labels.extend(found)
        if "role-axis-label" in kind and self.axes:
            self.axes[-1][1].extend(found)


def crosses(segment, frame):
    """Whether a stroke passes through the inside of a box (Liang and Barsky)."""
    (x1, y1), (x2, y2) = segment
    left, top, right, bottom = frame
    enters, leaves = 0.0, 1.0
    for step, start, low, high in ((x2 - x1, x1, left, right), (y2 - y1, y1, top, bottom)):
        if step == 0:
            if not low < start < high:
                return False
            continue
        first, last = sorted(((low - start) / step, (high - start) / step))
        enters, leaves = max(enters, first), min(leaves, last)
    return enters < leaves


def inside(frame, margin):
    return frame[0] + margin, frame[1] + margin, frame[2] - margin, frame[3] - margin


def overlap(a, b, more=0.0):
    return min(a[2], b[2]) - max(a[0], b[0]) > more and min(a[3], b[3]) - max(a[1], b[1]) > more


def crossed(picture):
    rimmed = {(line, round(frame[0]), round(frame[1])) for line, _, frame in picture.rims}
    for line, _, frame in picture.labels:
        within = inside(frame, TOUCH / 2)
        if any(crosses(stroke, within) for stroke in picture.strokes):
            yield f"a line crosses '{line}'"
        if any(overlap(symbol, within) for symbol in picture.symbols):
            yield f"a mark stands on '{line}'"
        has_rim = (line, round(frame[0]), round(frame[1])) in rimmed
        if not has_rim and any(crosses(stroke, within) for stroke in picture.grid):
            yield f"the grid crosses '{line}', which has no rim"


def on_names(picture):
    """Marks at the low end of an axis of rows."""
    for _, labels in picture.axes:
        for line, _, frame in labels:
            if any(overlap(symbol, frame, TOUCH / 2) for symbol in picture.symbols):
                yield f"a mark stands on '{line}'"


def span(said):
    """Ratio of the ends of an axis of numbers, as Vega says them; a linear one is wide enough; others have none."""
    if "linear scale" in said:
        return math.inf
    ends = re.search(r"log scale with values from ([-+\d.,e]+) to ([-+\d.,e]+)", said)
    return float(ends[2].replace(",", "")) / float(ends[1].replace(",", "")) if ends else 0


def lone_ticks(picture):
    """An axis on which a single size lies spans few times that."""
    for said, labels in picture.axes:
        if span(said) > 4 and len(labels) < 2:
            yield f"{len(labels)} label(s) along: {said}"


def faults(path, bare):
    root = tree.parse(path).getroot()
    _, _, width, height = (float(v) for v in root.get("viewBox").split())
    scale = float(root.get("width").removesuffix("pt")) / width
    picture = Picture(root)
    if not picture.texts:
        yield "no text at all"
    if bare and height > HIGHEST * width + 1:
        yield f"is {height / width:.2f} as high as wide"
    for line, size, (left, top, right, bottom) in picture.texts:
        if size * scale < SMALLEST - 0.05 or (bare and size * scale > LARGEST + 0.05):
            yield f"'{line}' has {size * scale:.2f} points"
        if left < -1 or top < -1 or right > width + 1 or bottom > height + 1:
            yield f"'{line}' leaves the picture"
    for i, (line, _, a) in enumerate(picture.texts):
        for other, _, b in picture.texts[:i]:
            if overlap(a, b, TOUCH):
                yield f"'{line}' overlaps '{other}'"
    yield from crossed(picture)
    yield from on_names(picture)
    yield from lone_ticks(picture)


def main(paths):
    bare = "--bare" in paths
    bad = 0
    for path in paths:
        if path == "--bare":
            continue
        for fault in faults(path, bare):
            bad += 1
            print(f"{path}: {fault}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
