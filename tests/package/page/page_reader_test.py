"""How a reader gets about in the page of a report: single records, keyboard, narrow screens, print, hostile text.

Usage: page_reader_test.py [unittest arguments]; exits with 77 where no browser can be driven.
"""

import time

from page_browser import PageTest, main

TAB, ENTER, ESCAPE, SPACE, DOWN = "\ue004", "\ue007", "\ue00c", "\ue00d", "\ue015"


class Record(PageTest):
    def opened(self):
        return self.browser.count("#record-view[open]") == 1

    def test_opens_from_its_row_and_closes_into_the_page(self):
        self.open()
        self.browser.click("#records-table tr[data-record='3'] td[data-label=Family]")
        self.assertTrue(self.opened())
        self.assertEqual(self.browser.hash(), "#record-3")
        self.browser.press(ESCAPE)
        self.browser.wait(lambda: not self.opened() and self.browser.hash() == "", "the page without the record")

    def test_opens_from_its_address(self):
        place = next(i for i in self.places(family="fm_index") if "energy_reason" in self.records[i])
        self.open(f"#record-{place}")
        self.browser.wait(self.opened, "the record")
        record = self.records[place]
        self.assertEqual(self.browser.count("#record-view .samples circle"), len(record["samples_s"]))
        sections = self.browser.texts("#record-view h3")
        for title in ("Samples", "Statistics", "Bound", "Counters", "Energy", "Facts", "Provenance"):
            self.assertIn(title, sections)
        self.assertIn(record["bound"]["explanation"], self.browser.text("#record-view"))
        self.assertIn(record["energy_reason"], self.browser.text("#record-view"))
        self.browser.click("#record-close")
        self.browser.wait(lambda: self.browser.hash() == "", "the address of the page")

    def test_without_a_number_says_why(self):
        self.open(f"#record-{self.places(status='skipped')[0]}")
        self.browser.wait(self.opened, "the record")
        self.assertIn("needs 1.1e11 bytes, 1.0e11 are free on <cuda:0>", self.browser.text("#record-view .headline"))

    def test_back_closes_it_and_forward_opens_it_again(self):
        self.open("#filter=family:latency")
        self.browser.click("#records-table tbody a")
        self.assertTrue(self.opened())
        self.browser.back()
        self.browser.wait(lambda: not self.opened(), "the page")
        self.assertEqual(self.browser.hash(), "#filter=family:latency")
        self.browser.forward()
        self.browser.wait(self.opened, "the record")

    def test_opened_again_at_once_stays_open(self):
        self.open()
        self.browser.click("#records-table tbody a")
        address = self.browser.hash()
        self.browser.run("""const closed = new Promise((resolve) => recordView.addEventListener("close", resolve));
                            recordView.close(); showRecord(0); return closed.then(() => null)""")
        time.sleep(0.2)  # a way back, were it taken, takes a moment
        self.assertTrue(self.opened())
        self.assertEqual(self.browser.hash(), address)

    def test_leads_to_the_next_of_the_filtered(self):
        self.open("#filter=family:latency")
        self.browser.click("#records-table tbody a")
        self.browser.click("#record-next")
        self.assertEqual(self.browser.hash(), f"#record-{self.places(family='latency')[1]}")


class Keyboard(PageTest):
    def tab_to(self, selector, most):
        """Tabs on until an element has the focus; every stop on the way must show."""
        for _ in range(most):
            self.browser.press(TAB)
            name, visible = self.browser.focused()
            self.assertTrue(visible, f"the focus on {name} does not show")
            if self.browser.run("return document.activeElement.matches(arguments[0])", selector):
                return
        self.fail(f"{selector} is not reached within {most} stops")

    def test_walks_from_the_skip_link_to_a_record_and_back(self):
        self.open()
        self.tab_to(".skip", 1)
        self.browser.press(ENTER)
        self.assertEqual(self.browser.hash(), "#records")
        self.tab_to("#records-table tbody a", 30)
        self.browser.press(DOWN, ENTER)
        self.browser.wait(lambda: self.browser.hash() == "#record-1", "record 1")
        self.browser.press(ESCAPE)
        self.browser.wait(lambda: self.browser.count("#record-view[open]") == 0, "the page")
        self.browser.wait(
            lambda: self.browser.run("return document.activeElement.getAttribute('href')") == "#record-1",
            "the focus on the link that opened the record",
        )

    def test_filters(self):
        self.open()
        self.browser.run(
            "document.getElementById('filter-bar').tabIndex = -1; document.getElementById('filter-bar').focus()"
        )
        self.tab_to("details.menu > summary", 2)
        self.browser.press(ENTER)
        self.browser.wait(lambda: self.browser.count("details.menu[open] .choice"), "the choices")
        self.browser.press(TAB, SPACE)
        self.assertTrue(self.browser.hash().startswith("#filter=family:"))
        self.assertLess(int(self.shown_count()), len(self.records))
        self.browser.press(ESCAPE)
        self.assertEqual(self.browser.count("details.menu[open]"), 0)
        self.assertTrue(self.browser.run("return document.activeElement.matches('details.menu > summary')"))


class Layout(PageTest):
    def test_no_width_makes_the_page_scroll_sideways(self):
        self.addCleanup(lambda: self.browser.resize(1280, 900))
        for width in (400, 768, 1280):
            self.browser.resize(width, 900)
            self.open()
            self.draw("latency")
            wide = self.browser.run("return document.documentElement.scrollWidth - innerWidth")
            self.assertLessEqual(wide, 0, f"{width} pixels")

    def test_winners_fit_1280_pixels(self):
        self.open()
        self.assertLessEqual(
            *self.browser.run(
                "const s = document.querySelector('#winners .scroll');return [s.scrollWidth, s.clientWidth]"
            )
        )


class Hostile(PageTest):
    kind = "hostile"

    def test_text_of_records_stays_text(self):
        self.open("#record-0")
        self.browser.wait(lambda: self.browser.count("#record-view[open]"), "the record")
        self.assertIn("<img src=x", self.browser.text("#record-view"))
        self.browser.press(ESCAPE)
        for menu in self.browser.find_all("#filter-bar details.menu > summary"):
            self.browser.click_on(menu)
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.browser.wait(lambda: self.browser.count(".plot svg") == self.browser.count(".plot"), "every plot")
        self.assertEqual(self.browser.count("img, main script:not([type='application/json'])"), 0)
        self.assertNotEqual(self.browser.run("return document.title"), "hacked")


class Generated(PageTest):
    kind, arguments = "generated", ("20000",)

    def test_shows_a_page_of_rows_of_twenty_thousand_records(self):
        self.open()
        self.assertEqual(self.shown_count(), "20000")
        self.assertLessEqual(self.browser.count("#records-table tbody tr"), 200)

    def test_opens_the_last_record(self):
        self.open("#record-19999")
        self.browser.wait(lambda: self.browser.count("#record-view[open]"), "the record")
        last = self.records[19999]
        self.assertIn(last["date"], self.browser.text("#record-view"))

    def test_prints_the_first_two_hundred_and_says_so(self):
        self.open("#filter=family:fm_index")
        rows = self.browser.count("#records-table tbody tr")
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.browser.count("#records-table tbody tr"), 200)
        self.assertIn(f"first 200 of {self.shown_count()}", self.browser.text("#print-note"))
        self.browser.run("window.dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.count("#records-table tbody tr"), rows)


if __name__ == "__main__":
    main()
