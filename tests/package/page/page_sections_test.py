"""The places and widths of sections on the page of a report, in headless Chromium.

Usage: page_sections_test.py [unittest arguments]; exits with 77 where no browser can be driven.
"""

import itertools
import json

from page_browser import PageTest, main

WIDTHS = (400, 1000, 1600)


class Order(PageTest):
    def test_sections_stand_in_the_order_in_which_a_reader_asks(self):
        self.open(unfolded=False)
        ids = self.browser.run("return Array.from(document.querySelectorAll('main section'), (s) => s.id)")
        order = ["summary", "memory", "machines", "compared", "winners", "figures", "reproductions", "more"]
        self.assertEqual(ids, [name for name in order if name in ids])
        self.assertLessEqual({"summary", "machines", "winners", "figures", "more"}, set(ids))

    def test_contents_lead_to_every_section(self):
        self.open(unfolded=False)
        links = self.browser.run("return Array.from(document.querySelectorAll('nav.sections a'), (a) => a.hash)")
        ids = self.browser.run("return Array.from(document.querySelectorAll('main section'), (s) => '#' + s.id)")
        self.assertEqual(links, ids)

    def test_the_filter_stands_above_all_that_it_filters(self):
        self.open(unfolded=False)
        below = self.browser.run("""
            const bar = document.getElementById("filter-bar");
            return Array.from(document.querySelectorAll("#explore .plot, tr[data-of-record], [data-device], #record-table"),
              (part) => bar.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING)""")
        self.assertLess(10, len(below))
        self.assertTrue(all(below))

    def test_headings_go_down_one_step_at_a_time(self):
        self.open(unfolded=False)
        levels = self.browser.run(
            "return Array.from(document.querySelectorAll('h1, h2, h3, h4'), (h) => Number(h.tagName[1]))"
        )
        self.assertEqual(levels[0], 1)
        for before, after in itertools.pairwise(levels):
            self.assertLessEqual(after, before + 1)

    def test_what_few_ask_for_is_closed_and_opens_where_it_is_linked_to(self):
        self.open(unfolded=False)
        self.assertEqual(self.browser.count("#more details.fold[open]"), 0)
        for name in ("records", "fits", "heat-maps", "failures", "provenance"):
            with self.subTest(name):
                self.open(f"#{name}", unfolded=False)
                self.browser.wait(lambda name=name: self.browser.count(f"#{name}[open]"), "it open")
        self.browser.run("location.hash = '#suite-surface'")  # in what is closed
        self.browser.wait(lambda: self.browser.count("#heat-maps[open]"), "the heat maps open")

    def test_a_device_has_one_card_with_one_curve_that_names_its_levels(self):
        self.open()
        self.assertEqual(self.browser.count("#machines article"), 2)
        self.draw("device-0")
        self.draw("device-1")
        self.assertEqual(self.browser.count("#machines figure"), 2)
        shown = self.browser.text("#device-0 .plot svg") + self.browser.text("#device-1 .plot svg")
        self.assertIn("L2 47.7 MiB", shown)


class Winners(PageTest):
    def test_leave_with_the_records_that_the_filter_takes_out(self):
        self.open()
        self.assertEqual(self.browser.count("#winners .family:not([hidden])"), 1)
        self.choose("Family", "latency")
        self.assertEqual(self.browser.count("#winners .family:not([hidden])"), 0)
        self.assertIn("No winner", self.browser.find("#winners-none").text)
        self.browser.click("#filter-clear")
        self.assertEqual(self.browser.count("#winners .family:not([hidden])"), 1)

    def test_cards_leave_with_their_devices_and_keep_their_curves_under_a_filter_of_a_family(self):
        self.open("#filter=family:fm_index")
        self.draw("device-0")
        self.choose("Device", "AMD")
        self.assertEqual(len([a for a in self.browser.find_all("#machines article") if a.is_displayed()]), 1)

    def test_lines_are_copied(self):
        self.open()
        self.browser.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.browser.run("document.querySelector('details.taking').open = true")
        lines = self.browser.texts("#winners pre.copyable")
        self.assertEqual(json.loads(lines[-1])["rate"], 6.45e10)
        for line, copy in zip(lines, self.browser.find_all("#winners .copy")):
            self.browser.click_on(copy)
            self.assertEqual(
                self.browser.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])"), line
            )


class Widths(PageTest):
    def setUp(self):
        self.addCleanup(lambda: self.browser.resize(1280, 900))

    def test_no_plot_is_cut_and_figures_use_the_width(self):
        for width in WIDTHS:
            with self.subTest(f"{width} pixels"):
                self.browser.resize(width, 900)
                self.open()
                self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
                self.browser.wait(lambda: self.browser.count(".plot svg") == self.browser.count(".plot"), "every plot")
                self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth - innerWidth"), 0)
                shares = self.browser.run("""
                    return Array.from(document.querySelectorAll(".plot"), (plot) => [plot.closest("figure").id,
                      plot.querySelector("svg").getBoundingClientRect().width / plot.clientWidth])""")
                for name, share in shares:
                    self.assertLessEqual(share, 1.001, name)
                    self.assertGreater(share, 0.75, name)

    def test_names_of_levels_do_not_touch_at_any_width(self):
        for width in WIDTHS:
            with self.subTest(f"{width} pixels"):
                self.browser.resize(width, 900)
                self.open()
                for card in ("device-0", "device-1"):
                    self.draw(card)
                    touching = self.browser.run(
                        """
                        const boxes = Array.from(document.querySelectorAll(`#${arguments[0]} .role-mark text`), (text) =>
                          [text.textContent, text.getBoundingClientRect()]).filter(([words]) => / [KMG]iB$/.test(words));
                        const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
                        return boxes.flatMap(([words, a], i) => boxes.slice(i + 1).filter(([, b]) => !apart(a, b))
                          .map(([others]) => [words, others]))""",
                        card,
                    )
                    self.assertEqual(touching, [])

    def test_plots_are_drawn_anew_for_another_width(self):
        self.browser.resize(1600, 900)
        self.open()
        self.draw("latency")
        wide = self.browser.run("return document.querySelector('#latency .plot svg').viewBox.baseVal.width")
        self.browser.resize(1000, 900)
        narrower = lambda: (
            self.browser.run("return document.querySelector('#latency .plot svg').viewBox.baseVal.width") < 0.8 * wide
        )
        self.browser.wait(narrower, "a narrower plot")


if __name__ == "__main__":
    main()
