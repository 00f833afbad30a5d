"""Fails if two texts of an SVG overlap, one leaves the picture, or one is smaller than 7 points.

Usage: check_labels.py FILE.svg...   (pictures of Vega; text is measured with Liberation Sans)
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
SMALLEST = 7
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
    corners = [(matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
               for x in (left, right) for y in (top, bottom)]
    xs, ys = zip(*corners)
    return min(xs), min(ys), max(xs), max(ys)


def texts(element, matrix=(1, 0, 0, 1, 0, 0)):
    """(text, font size, bounding box) of every line of text."""
    matrix = moved(matrix, element.get("transform"))
    is_rim = element.get("stroke") == "white"  # that of a label, which is drawn over it
    if element.tag == SVG + "text" and float(element.get("opacity", "1")) > 0 and not is_rim:
        size = float(element.get("font-size", "10px").removesuffix("px"))
        lines = [(element.text, 0.0)] if element.text else []
        x, y = 0.0, 0.0
        for span in element.findall(SVG + "tspan"):
            x, y = float(span.get("x", x)), y + float(span.get("dy", 0))
            lines.append((span.text or "", y))
        anchor = {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor"), 0.0)
        for line, baseline in lines:
            width = text_width(line, size, element.get("font-weight"))
            left = -anchor * width
            yield line, size, box(matrix, left, baseline - 0.72 * size, left + width, baseline + 0.2 * size)
    for child in element:
        yield from texts(child, matrix)


def faults(path):
    root = tree.parse(path).getroot()
    _, _, width, height = (float(v) for v in root.get("viewBox").split())
    scale = float(root.get("width").removesuffix("pt")) / width
    found = [t for t in texts(root) if t[0].strip()]
    if not found:
        yield "no text at all"
    for line, size, (left, top, right, bottom) in found:
        if size * scale < SMALLEST - 0.05:
            yield f"'{line}' has {size * scale:.2f} points"
        if left < -1 or top < -1 or right > width + 1 or bottom > height + 1:
            yield f"'{line}' leaves the picture"
    for i, (line, _, a) in enumerate(found):
        for other, _, b in found[:i]:
            if min(a[2], b[2]) - max(a[0], b[0]) > TOUCH and min(a[3], b[3]) - max(a[1], b[1]) > TOUCH:
                yield f"'{line}' overlaps '{other}'"


def main(paths):
    bad = 0
    for path in paths:
        for fault in faults(path):
            bad += 1
            print(f"{path}: {fault}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
