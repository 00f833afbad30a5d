"""The size of a picture and of its letters: the same chart is drawn for a screen and for a column of a paper."""

from __future__ import annotations

from dataclasses import dataclass, replace

POINTS_PER_MM = 72 / 25.4
COLUMN_MM = 80.6  # \columnwidth of LaTeX's `article` with two columns: 229.5 pt of 1/72.27 inch
PAGE_MM = 164.8  # \textwidth of that class: both columns
PAGE_HEIGHT_MM = 190  # of a picture, unless asked: \textheight of that class has 193 mm
TWO_PANELS_MM = 150  # from this width panels stand side by side
_LETTER_WIDTH = 0.54  # of a sans-serif font's size, on average
_JOINTS = "_+,=/-"
_BARE_HEIGHT = 0.8  # of a bare picture's width, at most

INK, MUTED, PAPER = "#222222", "#6b6b6b", "white"
GREY = "#858585"  # 3:1 against white and against the dark page


@dataclass(frozen=True)
class Style:
    """Sizes in pixels; in print a pixel is a point of 1/72 inch."""

    width: float = 0  # of the whole picture; 0: as wide as its panels need
    text: float = 11  # numbers along axes, legends, notes
    label: float = 10
    axis_title: float = 12
    panel_title: float = 12
    title: float = 15
    columns: int = 2  # most panels side by side
    bare: bool = False  # without title and notes, which a caption has
    height: float = 0  # of the whole picture, at most; 0: as its panels need
    plot_height: float = 0  # of a plot of lines; 0: the usual one

    @property
    def is_print(self) -> bool:
        return self.width > 0

    @property
    def scale(self) -> float:
        """Lengths of marks and gaps shrink with the letters."""
        return self.text / 11

    @property
    def narrow(self) -> bool:
        """Too narrow for words next to a mark."""
        return self.is_print and self.columns == 1


def screen() -> Style:
    return Style()


def print_style(width_mm: float, height_mm: float = 0) -> Style:
    """For print: letters have 7 to 8.5 points, whatever the width; no higher than a page, unless asked."""
    return Style(
        width=width_mm * POINTS_PER_MM,
        text=7,
        label=7,
        axis_title=7.5,
        panel_title=7.5,
        title=8.5,
        columns=1 if width_mm < TWO_PANELS_MM else 2,
        height=(height_mm if height_mm > 0 else PAGE_HEIGHT_MM) * POINTS_PER_MM,
    )


def bare(width_mm: float, height_mm: float = 0) -> Style:
    """For a caption below: no higher than `height_mm`, or than 0.8 of the width where that is 0."""
    return replace(print_style(width_mm, height_mm if height_mm > 0 else _BARE_HEIGHT * width_mm), bare=True)


def text_width(text: str, font_size: float) -> float:
    """Width of a text in a sans-serif font, on average."""
    return _LETTER_WIDTH * font_size * len(text)


def letters(width: float, font_size: float) -> int:
    """How many letters of a font fit into a width."""
    return max(1, int(width / (_LETTER_WIDTH * font_size)))


def wrap(text: str, most: int) -> list[str]:
    """Lines of at most `most` letters, broken at spaces, else behind characters that join words of names."""
    lines: list[str] = []
    while len(text) > most:
        at = text.rfind(" ", 0, most + 1)
        end = at + 1
        if at <= 0:
            at = end = max(text.rfind(joint, 0, most) for joint in _JOINTS) + 1
        if at <= 0:
            at = text.find(" ", most)
            end = at + 1
        if at < 0:
            break
        lines.append(text[:at])
        text = text[end:]
    return [*lines, text]
