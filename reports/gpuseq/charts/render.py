"""Specifications as SVG, PDF and PNG by vl-convert, which asks the network for nothing; charts as altair objects.

A pixel is a point of 1/72 inch. Fonts are inside: PDF as vl-convert embeds them, SVG as a subset of Liberation Sans
(Debian's fonts-liberation).
"""

from __future__ import annotations

import base64
import copy
import io
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuseq.charts.axis import Spec
from gpuseq.charts.frame import PRINT_LEGENDS
from gpuseq.charts.style import POINTS_PER_MM
from gpuseq.charts.values import Chart
from gpuseq.charts.vega_lite import screen_spec
from gpuseq.errors import UsageError

if TYPE_CHECKING:
    import altair


VEGA_LITE = "6.4"  # draws version 5 files; its output fits the version of Vega that the package holds
_PIXELS_PER_INCH = 300
_LEAST_WIDTH = 50  # points of a plot
_FONTS = Path("/usr/share/fonts/truetype/liberation")
_WEIGHTS = {"normal": "LiberationSans-Regular.ttf", "bold": "LiberationSans-Bold.ttf"}
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"')


def chart_object(chart: Chart) -> altair.TopLevelMixin:
    """An altair chart in screen size, for authors who change a figure."""
    import altair

    spec = screen_spec(chart)
    kind = altair.ConcatChart if "concat" in spec else altair.LayerChart if "layer" in spec else altair.Chart
    return kind.from_dict(spec, validate=False)


def render(spec: Spec, kind: str) -> tuple[bytes, str]:
    """The picture as svg, pdf or png, and a remark where it is higher than asked; empty otherwise."""
    try:
        import vl_convert
    except ImportError as error:
        raise UsageError(f"pictures need the Python package vl-convert-python: {error}") from None
    svg, remark = _drawn_within(spec)
    width = spec.get("usermeta", {}).get("width_points", 0)
    if kind == "svg":
        return _with_fonts(_fit(svg, width, "pt")).encode(), remark
    if kind == "pdf":
        return vl_convert.svg_to_pdf(_fit(svg, width)), remark
    return _smaller(vl_convert.svg_to_png(_fit(svg, width), ppi=_PIXELS_PER_INCH)), remark


def _svg(spec: Spec) -> str:
    import vl_convert

    return vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, allowed_base_urls=[])


def _size(svg: str) -> tuple[float, float]:
    found = _SIZE.search(svg)
    if found is None:
        raise ValueError("vl-convert wrote a picture without a size")
    return float(found[1]), float(found[2])


def _fit(svg: str, target: float, unit: str = "") -> str:
    """The picture at its width on paper: a margin where it is narrower, else made smaller as a whole."""
    width, height = _size(svg)
    target = target or width
    seen = max(width, target)
    size = f'width="{target:.2f}{unit}" height="{height * target / seen:.2f}{unit}" '
    svg = _SIZE.sub(f'{size}viewBox="0 0 {seen:.2f} {height:.2f}"', svg, count=1)
    return re.sub(rf'<rect width="{width:g}"', f'<rect width="{seen:.2f}"', svg, count=1)


def _lowered(panels: list[Spec], share: float, least: list[float]) -> bool:
    """Makes plots of a grid as high as a share of their height; whether one became lower."""
    changed = False
    for panel, at_least in zip(panels, least, strict=True):
        height = max(at_least, panel["height"] * share)
        changed = changed or height < panel["height"] - 0.01
        panel["height"] = min(panel["height"], height)
    return changed


def _drawn_within(spec: Spec) -> tuple[str, str]:
    """The picture with its letters at their own size, as narrow and low as asked, and a remark if words need more."""
    meta = spec.get("usermeta", {})
    if "height_points" not in meta:
        return _svg(spec), ""
    spec = copy.deepcopy(spec)
    spec["config"]["legend"]["layout"] = PRINT_LEGENDS
    panels: list[Spec] = spec.get("concat", [spec])
    columns = int(spec.get("columns", 1))
    svg = _svg(spec)
    for _ in range(4):
        width, height = _size(svg)
        too_wide, too_high = width - meta["width_points"], height - meta["height_points"]
        changed = False
        if too_wide > 0.5:
            for panel in panels:
                narrower = max(_LEAST_WIDTH, panel["width"] - math.ceil(too_wide / columns))
                changed = changed or narrower < panel["width"]
                panel["width"] = min(panel["width"], narrower)
        if too_high > 0.5:
            rows = [panels[i : i + columns] for i in range(0, len(panels), columns)]
            plots = sum(max(panel["height"] for panel in row) for row in rows)
            changed = _lowered(panels, max(0.0, 1 - too_high / plots), meta["least_heights"]) or changed
        if not changed:
            break
        svg = _svg(spec)
    height, most = _size(svg)[1], meta["height_points"]
    if height <= most + 1:
        return svg, ""
    return svg, (f"{height / POINTS_PER_MM:.0f} mm high instead of {most / POINTS_PER_MM:.0f} mm: "
                 "words and rows need it (--height, or a larger --width)")  # fmt: skip


def _subset(file: Path, letters: str) -> str:
    """The outlines of some letters as a font of its own."""
    # fontTools has no types.
    from fontTools import subset  # pyright: ignore[reportMissingTypeStubs]
    from fontTools.ttLib import TTFont  # pyright: ignore[reportMissingTypeStubs]

    font = TTFont(file)
    options: Any = subset.Options(layout_features=[], hinting=False, notdef_outline=True)
    options.drop_tables += ["FFTM"]  # a table of the font's editor
    tool: Any = subset.Subsetter(options)
    tool.populate(text=letters)
    tool.subset(font)
    out = io.BytesIO()
    font.save(out)
    return base64.b64encode(out.getvalue()).decode()


def _with_fonts(svg: str) -> str:
    letters = "".join(sorted(set(re.sub(r"<[^>]*>", "", svg)) | set("&<>")))
    faces = "".join(
        f"@font-face{{font-family:'Liberation Sans';font-weight:{weight};"
        f"src:url(data:font/ttf;base64,{_subset(_FONTS / name, letters)})}}"
        for weight, name in _WEIGHTS.items()
    )
    end = svg.index(">") + 1
    return f"{svg[:end]}<defs><style>{faces}</style></defs>{svg[end:]}"


def _smaller(png: bytes) -> bytes:
    """With a palette: an eighth of the bytes, and charts have few colours except at the edges of letters."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(
        256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
    ).save(out, "PNG", optimize=True, dpi=(_PIXELS_PER_INCH, _PIXELS_PER_INCH))
    return out.getvalue()
