"use strict";
// Sorting of the tables that stand in the page, and the order of words in every table.

const naturalOrder = new Intl.Collator("en", {numeric: true});

function compareKeys(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return naturalOrder.compare(String(a), String(b));
}

function sortRows(table, column, descending) {
  const keyOf = (row) => {
    const {sort} = row.cells[column].dataset;
    return sort === undefined ? row.cells[column].textContent : Number(sort);
  };
  const rows = Array.from(table.tBodies[0].rows, (row) => [keyOf(row), row]);
  rows.sort(([a], [b]) => (descending ? compareKeys(b, a) : compareKeys(a, b)));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

// Makes headings buttons; `sort(column, descending)` orders the rows. Numbers come largest first.
function makeSortable(headings, sort) {
  headings.forEach((heading, column) => {
    heading.replaceChildren(button(heading.textContent, () => {
      const before = heading.getAttribute("aria-sort");
      const descending = before ? before === "ascending" : heading.classList.contains("number");
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sort(column, descending);
    }));
  });
}

for (const table of document.querySelectorAll("table.sortable"))
  makeSortable(Array.from(table.tHead.rows[0].cells), (column, descending) => sortRows(table, column, descending));
