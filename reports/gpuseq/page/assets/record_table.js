"use strict";
// The table of records, a page of rows at a time: thousands of rows would take a browser seconds.

const recordTable = {
  order: [],       // the filtered records, sorted
  first: 0,        // place in `order` of the first row shown
  perPage: 50,
  column: null,    // sorted by; null: as recorded
  descending: false,
};

const mostPrinted = 200;

function rowOf(i) {
  const row = element("tr", {"data-record": i});
  for (const column of tableColumns)
    row.append(element("td", {class: column.number ? "number" : null, "data-label": column.title}, ...column.cell(i)));
  return row;
}

function showRows(first, count) {
  const {order} = recordTable;
  recordTable.first = Math.max(0, Math.min(first, Math.floor(Math.max(0, order.length - 1) / count) * count));
  const rows = order.slice(recordTable.first, recordTable.first + count).map(rowOf);
  if (!rows.length) rows.push(element("tr", {}, element("td", {colspan: tableColumns.length}, "No record passes the filter.")));
  recordTable.body.replaceChildren(...rows);
  const last = recordTable.first + Math.min(count, order.length - recordTable.first);
  recordTable.place.textContent = order.length ? `${recordTable.first + 1} to ${last} of ${order.length.toLocaleString("en")}` : "0";
  recordTable.previous.disabled = recordTable.first === 0;
  recordTable.next.disabled = last >= order.length;
}

const turnPage = (pages) => showRows(recordTable.first + pages * recordTable.perPage, recordTable.perPage);

function orderRecords() {
  const {column, descending} = recordTable;
  recordTable.order = column ? sortedRecords(filter.shown, column, descending) : filter.shown;
  showRows(0, recordTable.perPage);
}

// Arrow keys move from link to link and over the ends of a page.
function moveInTable(event) {
  const row = event.target.closest("tr[data-record]");
  if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
  const focus = (to) => to?.querySelector("a").focus();
  const moves = {
    ArrowDown: () => row.nextElementSibling ? focus(row.nextElementSibling)
      : !recordTable.next.disabled && (turnPage(1), focus(recordTable.body.firstElementChild)),
    ArrowUp: () => row.previousElementSibling ? focus(row.previousElementSibling)
      : !recordTable.previous.disabled && (turnPage(-1), focus(recordTable.body.lastElementChild)),
    PageDown: () => (turnPage(1), focus(recordTable.body.firstElementChild)),
    PageUp: () => (turnPage(-1), focus(recordTable.body.firstElementChild)),
    Home: () => focus(recordTable.body.firstElementChild),
    End: () => focus(recordTable.body.lastElementChild),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
}

function openClickedRow(event) {
  const row = event.target.closest("tr[data-record]");
  const selecting = String(document.getSelection()) !== "";
  if (row && !selecting && !event.target.closest("a")) openRecord(Number(row.dataset.record));
}

function tableControls() {
  recordTable.place = element("output", {id: "table-place", "aria-live": "polite"});
  recordTable.previous = button("Previous", () => turnPage(-1), {id: "table-previous"});
  recordTable.next = button("Next", () => turnPage(1), {id: "table-next"});
  const perPage = element("select", {"aria-label": "Rows on a page", onchange: (event) => {
    recordTable.perPage = Number(event.target.value);
    showRows(recordTable.first, recordTable.perPage);
  }}, [25, 50, 100, 200].map((rows) => element("option", {value: rows, selected: rows === recordTable.perPage}, `${rows} rows`)));
  const exports = element("span", {class: "exports"}, "Export what is filtered: ",
    button("CSV", () => download("records.csv", "text/csv", recordsAsCsv(recordTable.order)), {id: "export-csv"}),
    button("JSON", () => download("records.json", "application/json", recordsAsJson(recordTable.order)), {id: "export-json"}));
  return element("div", {class: "controls"}, recordTable.previous, recordTable.next, recordTable.place, perPage, exports);
}

function buildRecordTable() {
  const place = document.getElementById("record-table");
  const headings = tableColumns.map((column) =>
    element("th", {scope: "col", class: column.number ? "number" : null}, column.title));
  makeSortable(headings, (column, descending) => {
    recordTable.column = tableColumns[column];
    recordTable.descending = descending;
    orderRecords();
  });
  recordTable.body = element("tbody", {onkeydown: moveInTable, onclick: openClickedRow});
  const table = element("table", {class: "stack", id: "records-table"}, element("caption", {}, "Records that pass the filter. ",
    "Axes that are the same in all records of a family are left out; a record shows them all."),
    element("thead", {}, element("tr", {}, ...headings)), recordTable.body);
  place.append(tableControls(), element("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Records"}, table),
    element("p", {class: "print-only note", id: "print-note"}));
  filter.watchers.push(orderRecords);
  window.addEventListener("beforeprint", () => {
    const all = recordTable.order.length;
    showRows(0, mostPrinted);
    document.getElementById("print-note").textContent =
      all > mostPrinted ? `The first ${mostPrinted} of ${all} filtered records are printed.` : "";
  });
  window.addEventListener("afterprint", () => showRows(0, recordTable.perPage));
}
