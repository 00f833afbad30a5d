"""The page of a report, as a reader uses it, in headless Chromium.

Usage: page_browser_test.py [unittest arguments]; exits with 77 where no browser can be driven.
"""

import csv
import io
import json
import xml.etree.ElementTree

from page_browser import PageTest, main

MARKS = " .plot .mark-symbol.role-mark path"  # not those of legends


class Filter(PageTest):
    def test_a_family_leaves_its_records_in_the_table(self):
        self.open()
        self.assertEqual(self.shown_count(), str(len(self.records)))
        self.choose("Family", "latency")
        self.assertEqual(self.shown_count(), str(len(self.places(family="latency"))))
        self.assertEqual(set(self.browser.texts("#records-table td[data-label=Family]")), {"latency"})

    def test_a_device_leaves_its_marks_in_the_plots_and_clearing_brings_all_back(self):
        self.open()
        self.draw("latency")
        before = self.browser.count("#latency" + MARKS)
        self.assertEqual(before, len(self.places(family="latency")))
        self.choose("Device", "AMD")
        kept = len(self.places(family="latency", device="cpu"))
        self.browser.wait(lambda: self.browser.count("#latency" + MARKS) == kept, f"{kept} marks")
        self.browser.click("#filter-clear")
        self.browser.wait(lambda: self.browser.count("#latency" + MARKS) == before, f"{before} marks")

    def test_a_plot_without_a_row_left_says_so(self):
        self.open()
        self.draw("latency")
        self.choose("Family", "fm_index")
        self.browser.wait(lambda: "No record of this plot" in self.browser.text("#latency .plot"), "the words")

    def test_no_value_of_a_property_leaves_a_plot_that_cannot_be_drawn(self):
        self.open()
        facets = self.browser.run("return filterFacets.map((name) => [name, records.pooled(name).values.map(String)])")
        draw = (
            "const [name, value, done] = arguments; chooseFilter([{sign: ':', name, value}]);"
            "Promise.all(plots.map(drawPlot)).then(() => done())"
        )
        for name, values in facets:
            for value in values:
                with self.subTest(f"{name}: {value}"):
                    self.browser.driver.execute_async_script(draw, name, value)
                    self.assertEqual(self.browser.errors(), [])

    def test_panels_without_a_row_left_are_not_drawn(self):
        self.open()
        titles = lambda: self.browser.texts("#suite-surface .plot .role-title")  # of the panels
        self.draw("suite-surface")
        of_cpu = [title for title in titles() if title.startswith("AMD")]
        self.assertLess(0, len(of_cpu))
        self.assertLess(len(of_cpu), len(titles()))
        self.choose("Device", "AMD")
        self.draw("suite-surface")
        self.browser.wait(lambda: titles() == of_cpu, "the panels of the CPU")

    def test_an_axis_and_text_narrow_further(self):
        self.open("#filter=family:fm_index&k=2")
        of_k = [i for i in self.places(family="fm_index") if self.records[i]["point"].get("k") == 2]
        self.assertEqual(self.shown_count(), str(len(of_k)))
        self.browser.find("#filter-text").send_keys("full_coop")
        wanted = str(sum(self.records[i]["variant"] == "full_cooperative" for i in of_k))
        self.browser.wait(lambda: self.shown_count() == wanted, f"{wanted} records")

    def test_a_filter_stands_in_the_address_and_back_undoes_it(self):
        self.open()
        self.choose("Family", "sequential")
        self.assertEqual(self.browser.hash(), "#filter=family:sequential")
        self.browser.back()
        self.browser.wait(lambda: self.shown_count() == str(len(self.records)), "all records")
        self.browser.forward()
        self.browser.wait(lambda: self.shown_count() == str(len(self.places(family="sequential"))), "the filter")

    def test_an_address_that_is_no_filter_shows_everything(self):
        for fragment in ("#filter=", "#filter=%E0%A4%A", "#filter=nonsense&&=", "#record-99999", "#record-x"):
            with self.subTest(fragment):
                self.open(fragment)
                self.assertEqual(self.shown_count(), str(len(self.records)))

    def test_a_figure_lists_its_records(self):
        self.open()
        self.browser.run("document.querySelector('[data-list=latency]').click()")
        self.assertEqual(self.shown_count(), str(len(self.places(family="latency"))))

    def test_a_skipped_state_shows_its_reason(self):
        self.open("#filter=status:skipped")
        self.assertEqual(self.shown_count(), "1")
        self.assertIn("needs 1.1e11 bytes, 1.0e11 are free on <cuda:0>", self.browser.text("#records-table tbody"))


class Table(PageTest):
    def column(self, name):
        return self.browser.texts(f"#records-table td[data-label='{name}']")

    def sort(self, name):
        self.browser.run(
            "Array.from(document.querySelectorAll('#records-table th button'))"
            ".find((b) => b.textContent === arguments[0]).click()",
            name,
        )

    def rates(self):
        return [self.records[int(i)]["statistics"]["rate"] for i in self.column("#")]

    def test_sorts_rates_by_number_both_ways(self):
        self.open("#filter=family:fm_index&status:ok")
        self.sort("Rate")
        self.assertEqual(self.rates(), sorted(self.rates(), reverse=True))
        best = max(r["statistics"]["rate"] for r in self.records if r["family"] == "fm_index" and r["statistics"])
        self.assertEqual(self.rates()[0], best)
        self.sort("Rate")
        self.assertEqual(self.rates(), sorted(self.rates()))

    def test_sorts_words(self):
        self.open()
        self.sort("Variant")
        variants = self.column("Variant")
        self.assertEqual(variants, sorted(variants))

    def test_every_heading_sorts_and_keeps_the_number_of_rows(self):
        self.open()
        rows = self.browser.count("#records-table tbody tr")
        for name in self.browser.texts("#records-table th button"):
            self.sort(name)
            self.assertEqual(self.browser.count("#records-table tbody tr"), rows, name)
            self.assertEqual(self.browser.count("#records-table th[aria-sort]"), 1, name)

    def test_turns_pages(self):
        self.open()
        first = self.column("#")
        self.browser.click("#table-next")
        self.assertEqual(self.column("#")[0], str(len(first)))
        self.browser.click("#table-previous")
        self.assertEqual(self.column("#"), first)

    def test_exports_what_is_filtered_as_csv(self):
        self.open("#filter=family:latency")
        self.browser.click("#export-csv")
        rows = list(csv.DictReader(io.StringIO(self.browser.downloaded("records.csv").decode())))
        wanted = self.places(family="latency")
        self.assertEqual([int(row["record"]) for row in rows], wanted)
        for row in rows:
            record = self.records[int(row["record"])]
            self.assertAlmostEqual(float(row["rate"]) / record["statistics"]["rate"], 1, places=5)
            self.assertEqual(row["point.footprint_bytes"], str(record["point"]["footprint_bytes"]))

    def test_exports_whole_records_as_json(self):
        self.open("#filter=family:sequential")
        self.browser.click("#export-json")
        exported = json.loads(self.browser.downloaded("records.json"))
        self.assertEqual([record["record"] for record in exported], self.places(family="sequential"))
        for record in exported:
            original = self.records[record["record"]]
            for key in (
                "family",
                "variant",
                "problem",
                "point",
                "device",
                "status",
                "work",
                "notes",
                "facts",
                "counters_reason",
            ):
                self.assertEqual(record[key], original[key], key)
            self.assertEqual(len(record["samples_s"]), len(original["samples_s"]))
            for ours, theirs in zip(record["samples_s"], original["samples_s"]):
                self.assertAlmostEqual(ours / theirs, 1, places=5)


class Plots(PageTest):
    def save(self, kind, name):
        self.browser.run("document.querySelector(`#latency [data-export=${arguments[0]}]`).click()", kind)
        return self.browser.downloaded(name)

    def test_are_drawn_near_the_window_only(self):
        self.open("#filter=family:latency")
        self.assertLess(self.browser.count(".plot svg"), self.browser.count(".plot"))

    def test_export_svg_png_and_their_specification(self):
        self.open("#filter=family:latency&device:NVIDIA%20H200")
        svg = xml.etree.ElementTree.fromstring(self.save("svg", "latency.svg"))
        self.assertTrue(svg.tag.endswith("svg"))
        self.assertEqual(self.save("png", "latency.png")[:8], b"\x89PNG\r\n\x1a\n")
        spec = self.save("json", "latency.vl.json").decode()
        self.assertIn("vega-lite/v5.json", json.loads(spec)["$schema"])
        shown = {row["record"] for row in self.rows(json.loads(spec))}
        self.assertEqual(sorted(shown), self.places(family="latency", device="cuda:0"))

    def rows(self, value):
        """Data rows of a specification that name their record."""
        if isinstance(value, dict) and "record" in value:
            return [value]
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return [row for item in items for row in self.rows(item)]

    def test_a_click_on_a_mark_opens_its_record(self):
        self.open()
        self.draw("latency")
        mark = self.browser.find_all("#latency" + MARKS)[-1]  # the last drawn: none covers it
        self.browser.run("arguments[0].scrollIntoView({block: 'center'})", mark)
        self.browser.click_on(mark)
        self.browser.wait(lambda: self.browser.count("#record-view[open]"), "the record")
        place = int(self.browser.hash().removeprefix("#record-"))
        self.assertIn(place, self.places(family="latency"))
        self.assertIn("latency", self.browser.text("#record-title"))

    def test_all_are_drawn_before_the_page_is_printed(self):
        self.open()
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.browser.wait(lambda: self.browser.count(".plot svg") == self.browser.count(".plot"), "every plot")

    def test_take_the_colours_of_a_dark_page(self):
        self.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.addCleanup(lambda: self.browser.command("Emulation.setEmulatedMedia", features=[]))
        self.open()
        self.draw("latency")
        paper, ink = self.browser.run(
            "return [getComputedStyle(document.body).backgroundColor,"
            "getComputedStyle(document.querySelector('#latency .role-title text')).fill]"
            ".map((color) => color.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 3)"
        )
        self.assertLess(paper, 64)
        self.assertGreater(ink, 192)


if __name__ == "__main__":
    main()
