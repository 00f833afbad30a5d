"""A report page in headless Chromium, for page_browser_test.py, page_reader_test.py and page_timing.py.

Selenium drives the browser with the chromedriver that is installed next to it and downloads nothing.
"""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/package"))
import example_run

if not (ROOT / "requirements.txt").exists():  # or every test here would be skipped for want of a renderer
    raise RuntimeError(f"{ROOT} is not the root of a checkout")


def why_not():
    """Why no page can be tried here; empty where one can."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "python3-selenium is not installed"
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            return f"{program} is not installed"
    python = renderer_python()
    if not python.exists():
        return f"no plot renderer: {python} does not exist"
    return ""


def renderer_python():
    return pathlib.Path(os.environ.get("GPUSEQ_PYTHON") or ROOT / ".venv/bin/python")


def write_page(kind, folder, *arguments):
    """Writes a run and its report; returns the page and the records."""
    write = {
        "example": example_run.write_example,
        "hostile": example_run.write_hostile,
        "generated": example_run.write_generated,
    }[kind]
    write(pathlib.Path(folder), *map(int, arguments))
    uses = {"fm_index": {"roles": ["reference", "queries"], "variants": ["full_cooperative"], "options": {}}}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "reports"), "GPUSEQ_EXEC_USES": json.dumps(uses)}
    done = subprocess.run(
        [renderer_python(), "-B", "-m", "gpuseq", "report", folder],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{kind}: {done.stdout}{done.stderr}")
    with open(folder / "records.jsonl", encoding="utf-8") as lines:
        return folder / "report.html", [json.loads(line) for line in lines if '"state"' in line]


class Browser:
    """One window. Names of elements are CSS selectors."""

    def __init__(self, downloads, width=1280, height=900):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = self.started(
            lambda: webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        )
        self.downloads = pathlib.Path(downloads)
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self.resize(width, height)

    @staticmethod
    def started(start, attempts=3):
        """On a machine that is busy a browser may not answer in time when it starts, which says nothing of the page."""
        from selenium.common.exceptions import SessionNotCreatedException, TimeoutException

        for attempt in range(1, attempts + 1):
            try:
                return start()
            except (SessionNotCreatedException, TimeoutException) as error:
                if attempt == attempts:
                    raise
                print(f"the browser did not start, once more: {error}", file=sys.stderr)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def resize(self, width, height):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )

    def open(self, page, fragment=""):
        # A change of fragment alone would not load the page again.
        self.driver.get("about:blank")
        self.driver.get(f"file://{page}{fragment}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        from selenium.webdriver.common.by import By

        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def find_all(self, selector):
        from selenium.webdriver.common.by import By

        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def texts(self, selector):
        return self.run("return Array.from(document.querySelectorAll(arguments[0]), (e) => e.textContent)", selector)

    def settle(self):
        """Waits until every plot near the window is drawn and laid out: plots that are drawn move the parts below them."""
        # Plots that come near the window are known after a frame; two frames without a plot to draw are still.
        still = (
            "const done = arguments[0]; const busy = () => drawing || plots.some((plot) => plot.near && isStale(plot));"
            "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(!busy()))))"
        )
        self.wait(lambda: self.driver.execute_async_script(still), "a page at rest")

    def click(self, selector):
        self.click_on(self.find(selector))

    def click_on(self, element):
        """With the mouse, once nothing moves any more."""
        self.run("arguments[0].scrollIntoView({block: 'nearest'})", element)
        self.settle()
        element.click()

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def focused(self):
        """The element with the focus, as "tag#id", and whether its focus shows."""
        return self.run(
            "const e = document.activeElement; const s = getComputedStyle(e);"
            "return [e.tagName.toLowerCase() + (e.id ? '#' + e.id : ''), s.outlineStyle !== 'none']"
        )

    def hash(self):
        return self.run("return location.hash")

    def noted(self):
        """Whether the browser has the page's address in its history: it takes note of moves later than the page."""
        history = self.driver.execute_cdp_cmd("Page.getNavigationHistory", {})
        return history["entries"][history["currentIndex"]]["url"] == self.run("return location.href")

    def back(self):
        self.wait(self.noted, "the page's address in the history")
        self.driver.back()

    def forward(self):
        self.wait(self.noted, "the page's address in the history")
        self.driver.forward()

    def wait(self, condition, what, seconds=60):
        """Polls: pages draw when they get to it. Returns the last result of the condition."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"in {seconds} s not seen: {what}")

    def downloaded(self, name):
        path = self.downloads / name
        # The name may be taken by an empty file before the content, which comes under another name, is whole.
        self.wait(
            lambda: path.exists() and path.stat().st_size and not list(self.downloads.glob("*.crdownload")),
            f"the download {name}",
        )
        content = path.read_bytes()
        path.unlink()
        return content

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def quit(self):
        self.driver.quit()


@functools.cache
def opened(kind, arguments):
    """A page, its records and a browser for them, which take longer to make than most tests: once for all classes of a file."""
    folder = tempfile.TemporaryDirectory(prefix="gpuseq_page_")
    unittest.addModuleCleanup(folder.cleanup)
    run = pathlib.Path(folder.name) / "run"
    page, records = write_page(kind, run, *arguments)
    (run / "downloads").mkdir()
    browser = Browser(run / "downloads")
    unittest.addModuleCleanup(browser.quit)
    return page, records, browser


class PageTest(unittest.TestCase):
    kind, arguments = "example", ()  # of example_run.py

    @classmethod
    def setUpClass(cls):
        cls.page, cls.records, cls.browser = opened(cls.kind, cls.arguments)

    def open(self, fragment="", unfolded=True):
        self.browser.open(self.page, fragment)
        if unfolded:
            self.browser.run("for (const part of document.querySelectorAll('details.fold')) part.open = true")
        self.addCleanup(lambda: self.assertEqual(self.browser.errors(), []))

    def places(self, **wanted):
        """Places of the records whose members are as wanted."""
        return [
            i for i, record in enumerate(self.records) if all(record[key] == value for key, value in wanted.items())
        ]

    def shown_count(self):
        return self.browser.text("#filter-count").split(" of ")[0].replace(",", "")

    def draw(self, figure):
        self.browser.run("document.getElementById(arguments[0]).scrollIntoView()", figure)
        self.browser.wait(lambda: self.browser.count(f"#{figure} .plot svg"), f"the plot {figure}")
        self.browser.settle()

    def choose(self, menu, value):
        """Opens a menu of the filter and ticks a value."""
        title = next(e for e in self.browser.find_all("#filter-bar details.menu > summary") if e.text.startswith(menu))
        self.browser.click_on(title)
        choices = "details.menu[open] > .choices > .choice"
        self.browser.wait(lambda: self.browser.count(choices), "the choices")
        self.browser.click_on(next(e for e in self.browser.find_all(choices) if e.text.startswith(value)))
        self.browser.click_on(title)


def main():
    """Runs the tests of the calling file. Exits with 77 where none can run."""
    reason = why_not()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(77)
    unittest.main(verbosity=2)
