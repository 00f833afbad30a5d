"""Prints how long a report page takes to open in headless Chromium; judges nothing.

Usage: page_timing.py [RECORDS [REPETITIONS]]

Times are milliseconds since the navigation began, by the page's own clock: the table of records can be used; the
plots in the window at the top of the page and near it are drawn; the whole page is read. Each repetition is a new
browser with an empty cache.
"""

import pathlib
import statistics
import sys
import tempfile

import page_browser


def open_once(page, folder):
    browser = page_browser.Browser(folder)
    try:
        browser.open(page)
        browser.wait(lambda: browser.run("return performance.getEntriesByName('plots-drawn').length"), "the plots")
        browser.wait(
            lambda: browser.run("return performance.getEntriesByType('navigation')[0].loadEventEnd"), "the whole page"
        )
        return browser.run(
            "return ['table-ready', 'plots-drawn'].map((name) => performance.getEntriesByName(name)[0].startTime)"
            ".concat(performance.getEntriesByType('navigation')[0].loadEventEnd)"
        )
    finally:
        browser.quit()


def main(count="20000", repetitions="5"):
    with tempfile.TemporaryDirectory(prefix="gpuseq_page_") as name:
        folder = pathlib.Path(name)
        page, records = page_browser.write_page("generated", folder / "run", int(count))
        print(f"{len(records)} records, {page.stat().st_size / 2**20:.1f} MiB")
        times = [open_once(page, folder) for _ in range(int(repetitions))]
        for name, values in zip(("table ready", "first plots drawn", "page read"), zip(*times)):
            print(f"{name}: median {statistics.median(values):.0f} ms, {min(values):.0f} to {max(values):.0f} ms")


if __name__ == "__main__":
    reason = page_browser.why_not()
    sys.exit(f"cannot measure: {reason}" if reason else main(*sys.argv[1:]))
