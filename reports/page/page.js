"use strict";
// Plots take their text colour from the page, so they need no redrawing when the theme changes or the page is printed.
async function draw(plot) {
  const spec = JSON.parse(document.getElementById(plot.dataset.spec).textContent);
  try {
    await vegaEmbed(plot, spec, {mode: "vega-lite", renderer: "svg", actions: false});
  } catch (error) {
    plot.textContent = "This plot cannot be drawn: " + error.message;
    console.error(error);
  }
}
document.querySelectorAll(".plot").forEach(draw);

const order = new Intl.Collator(undefined, {numeric: true});

function sortBy(table, column, descending) {
  const body = table.tBodies[0];
  const key = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
  const rows = Array.from(body.rows, (row) => [key(row), row]);
  rows.sort(([a], [b]) => {
    const byNumber = Number(a) - Number(b);
    const comparison = a !== "" && b !== "" && !Number.isNaN(byNumber) ? byNumber : order.compare(a, b);
    return descending ? -comparison : comparison;
  });
  body.append(...rows.map(([, row]) => row));
}

for (const table of document.querySelectorAll("table.sortable")) {
  const headings = Array.from(table.tHead.rows[0].cells);
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = heading.textContent;
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const descending = heading.getAttribute("aria-sort") === "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sortBy(table, column, descending);
    });
  });
}

const records = document.querySelector("#records table");
if (records) {
  const label = document.createElement("label");
  label.className = "filter";
  label.append("Show only records that contain ");
  const input = document.createElement("input");
  input.type = "search";
  label.append(input);
  records.closest(".scroll").before(label);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of records.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
  });
}
