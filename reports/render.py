"""Renders Vega-Lite files for print, or writes the Vega scripts, with vl-convert; asks the network for nothing.

render.py bundle OUT.js                  the scripts that a page needs to draw Vega-Lite
render.py svg|png|pdf IN.vl.json OUT ... pairs of files

A pixel is a point of 1/72 inch. Pictures are as wide as the specification's usermeta.width_points says, and no higher
than its height_points, to which plots are made lower, as far as its least_heights; what is higher still is said, with the
number of its pair from 0 on. Fonts are inside: PDF as vl-convert embeds them, SVG as a subset of Liberation Sans
(Debian's fonts-liberation).
"""

import base64
import io
import json
import math
import pathlib
import re
import sys

import vl_convert

VEGA_LITE = "6.4"  # draws version 5 files; its output fits the version of Vega that the package holds
PIXELS_PER_INCH = 300
LEAST_WIDTH = 50  # points of a plot
FONTS = pathlib.Path("/usr/share/fonts/truetype/liberation")
WEIGHTS = {"normal": "LiberationSans-Regular.ttf", "bold": "LiberationSans-Bold.ttf"}
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"')


def fit(svg, target, unit=""):
    """The picture at its width on paper: a margin where it is narrower, else made smaller as a whole."""
    found = SIZE.search(svg)
    width, height = float(found[1]), float(found[2])
    seen = max(width, target or width)
    target = target or width
    size = f'width="{target:.2f}{unit}" height="{height * target / seen:.2f}{unit}" viewBox="0 0 {seen:.2f} {height:.2f}"'
    svg = svg[: found.start()] + size + svg[found.end():]
    return svg.replace(f'<rect width="{found[1]}"', f'<rect width="{seen:.2f}"', 1)


def draw(spec):
    return vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])


def lower(panels, share, least):
    """Plots of a grid as high as a share of what they are; whether one became so."""
    changed = False
    for panel, at_least in zip(panels, least):
        height = max(at_least, panel["height"] * share)
        changed = changed or height < panel["height"] - 0.01
        panel["height"] = min(panel["height"], height)
    return changed


def draw_within(spec):
    """The picture at its letters' own size, as narrow and low as it is asked to be, and what is to be said of that."""
    meta = spec.get("usermeta", {})
    svg = draw(spec)
    if "height_points" not in meta:
        return svg, ""
    panels = spec.get("concat", [spec])
    columns = spec.get("columns", 1)
    for _ in range(4):
        width, height = (float(v) for v in SIZE.search(svg).groups())
        too_wide, too_high = width - meta["width_points"], height - meta["height_points"]
        changed = False
        if too_wide > 0.5:
            for panel in panels:
                narrower = max(LEAST_WIDTH, panel["width"] - math.ceil(too_wide / columns))
                changed = changed or narrower < panel["width"]
                panel["width"] = min(panel["width"], narrower)
        if too_high > 0.5:
            rows = [panels[i:i + columns] for i in range(0, len(panels), columns)]
            plots = sum(max(panel["height"] for panel in row) for row in rows)
            changed = lower(panels, max(0.0, 1 - too_high / plots), meta["least_heights"]) or changed
        if not changed:
            break
        svg = draw(spec)
    height = float(SIZE.search(svg)[2])
    if height <= meta["height_points"] + 1:
        return svg, ""
    millimetres = 25.4 / 72
    return svg, (f"{height * millimetres:.0f} mm high, where {meta['height_points'] * millimetres:.0f} mm were asked for: "
                 "words and rows need them (--height, or a larger --width)")


def subset(file, letters):
    """The outlines of some letters as a font of its own."""
    from fontTools import subset as subsetter
    from fontTools.ttLib import TTFont

    font = TTFont(file)
    tool = subsetter.Subsetter(subsetter.Options(layout_features=[], hinting=False, notdef_outline=True))
    tool.populate(text=letters)
    tool.subset(font)
    out = io.BytesIO()
    font.save(out)
    return base64.b64encode(out.getvalue()).decode()


def embed_fonts(svg):
    letters = "".join(sorted(set(re.sub(r"<[^>]*>", "", svg)) | set("&<>")))
    faces = "".join(
        f"@font-face{{font-family:'Liberation Sans';font-weight:{weight};"
        f"src:url(data:font/ttf;base64,{subset(FONTS / name, letters)})}}"
        for weight, name in WEIGHTS.items())
    end = svg.index(">") + 1
    return f"{svg[:end]}<defs><style>{faces}</style></defs>{svg[end:]}"


def smaller(png):
    """With a palette: an eighth of the bytes, and charts have few colours but for the edges of letters."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png))
    out = io.BytesIO()
    picture.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True, dpi=(PIXELS_PER_INCH, PIXELS_PER_INCH))
    return out.getvalue()


def render(kind, place, source, target):
    spec = json.loads(pathlib.Path(source).read_text(encoding="utf-8"))
    svg, remark = draw_within(spec)
    if remark:
        print(place, remark)
    width = spec.get("usermeta", {}).get("width_points")
    if kind == "svg":
        content = embed_fonts(fit(svg, width, "pt")).encode()
    elif kind == "pdf":
        content = vl_convert.svg_to_pdf(fit(svg, width))
    else:
        content = smaller(vl_convert.svg_to_png(fit(svg, width), ppi=PIXELS_PER_INCH))
    pathlib.Path(target).write_bytes(content)


def main(kind, *paths):
    if kind == "bundle":
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(vl_convert.javascript_bundle(vl_version=VEGA_LITE))
        return
    for place, (source, target) in enumerate(zip(paths[::2], paths[1::2])):
        render(kind, place, source, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
