"use strict";
// The columns of the table of records: what a cell shows, and what it sorts by.

const finite = (value) => (value === null ? undefined : value);

function badge(text, kind = "") {
  return element("span", {class: `badge ${kind}`}, text);
}

// Fewer carry no interval of 95 %.
const fewestSamples = 6;

// An external tool is a whole program with its start-up and reading; nobody must take it for a kernel.
function badgesOf(i) {
  const badges = [];
  if (records.get("kind", i) === "tool") badges.push(badge("whole process", "tool"));
  if (records.get("synthetic", i)) badges.push(badge("synthetic"));
  const samples = records.get("samples", i);
  if (samples > 0 && samples < fewestSamples) badges.push(badge(samples === 1 ? "1 sample" : `${samples} samples`));
  return badges;
}

// Half the interval's width over the rate.
function uncertainty(i) {
  const rate = records.get("rate", i), low = records.get("rate_low", i), high = records.get("rate_high", i);
  return rate && low !== null && high !== null ? (high - low) / 2 / rate : null;
}

function rateCell(i) {
  const rate = records.get("rate", i);
  if (rate !== null) return [rateText(rate, records.get("rate_unit", i))];
  const kind = records.get("failure_kind", i), reason = records.get("reason", i) || "no reason given";
  return [element("span", {class: "reason"}, kind ? `${wordsOf(kind)}: ${reason}` : reason)];
}

const axesCell = (part) => (i) => [pointText(records.get(part, i), commonAxes(part, records.get("family", i)))];

const property = (name, title) => ({
  name, title, key: (i) => records.get(name, i), cell: (i) => [String(records.get(name, i))],
});

const quantity = (name, title, keyOf, textOf) => ({
  name, title, number: true, key: (i) => finite(keyOf(i)),
  cell: (i) => { const value = keyOf(i); return [value === null ? "" : textOf(value)]; },
});

const tableColumns = [
  {name: "record", title: "#", number: true, key: (i) => i,
    cell: (i) => [element("a", {href: `#record-${i}`, "aria-label": `Record ${i}`}, String(i))]},
  {...property("status", "Status"),
    cell: (i) => [element("span", {class: records.get("status", i)}, records.get("status", i))]},
  property("family", "Family"),
  {...property("variant", "Variant"), cell: (i) => [records.get("variant", i), ...badgesOf(i)]},
  property("device", "Device"),
  {name: "problem", title: "Problem", key: (i) => pointText(records.get("problem", i)), cell: axesCell("problem")},
  {name: "point", title: "Point", key: (i) => pointText(records.get("point", i)), cell: axesCell("point")},
  {name: "rate", title: "Rate", number: true, key: (i) => finite(records.get("rate", i)), cell: rateCell},
  quantity("interval", "±", uncertainty, shareText),
  quantity("fraction_of_bound", "Of bound", (i) => records.get("fraction_of_bound", i), shareText),
  quantity("samples", "Samples", (i) => records.get("samples", i), String),
  {name: "verified", title: "Verified", key: (i) => String(records.get("verified", i)),
    cell: (i) => [{true: "yes", false: "no"}[records.get("verified", i)] ?? ""]},
  property("phase", "Phase"),
];

// Records in the order of a column. Those without a number come last, whichever the direction.
function sortedRecords(shown, column, descending) {
  const keys = new Map(shown.map((i) => [i, column.key(i)]));
  const order = shown.slice();
  const direction = descending ? -1 : 1;
  order.sort((a, b) => {
    const x = keys.get(a), y = keys.get(b);
    if (x === undefined || y === undefined) return (x === undefined) - (y === undefined) || a - b;
    return direction * compareKeys(x, y) || a - b;
  });
  return order;
}
