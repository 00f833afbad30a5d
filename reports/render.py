"""Renders Vega-Lite files, or writes the Vega scripts, with vl-convert; asks the network for nothing.

render.py bundle OUT.js                  the scripts that a page needs to draw Vega-Lite
render.py svg|png|pdf IN.vl.json OUT ... pairs of files
"""

import sys

import vl_convert

VEGA_LITE = "6.4"  # draws version 5 files; its output fits the version of Vega that the package holds


def render(kind, source, target):
    with open(source, encoding="utf-8") as file:
        spec = file.read()
    options = {"vl_version": VEGA_LITE, "allowed_base_urls": []}
    if kind == "svg":
        with open(target, "w", encoding="utf-8") as file:
            file.write(vl_convert.vegalite_to_svg(spec, **options))
    else:
        convert = {"png": lambda: vl_convert.vegalite_to_png(spec, scale=2, **options),
                   "pdf": lambda: vl_convert.vegalite_to_pdf(spec, **options)}[kind]
        with open(target, "wb") as file:
            file.write(convert())


def main(kind, *paths):
    if kind == "bundle":
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(vl_convert.javascript_bundle(vl_version=VEGA_LITE))
        return
    for source, target in zip(paths[::2], paths[1::2]):
        render(kind, source, target)


if __name__ == "__main__":
    main(*sys.argv[1:])
