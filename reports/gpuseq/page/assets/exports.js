"use strict";
// What leaves the page: files of the filtered records and of plots.

function download(name, type, content) {
  const href = content.startsWith("data:") ? content : URL.createObjectURL(new Blob([content], {type}));
  const link = element("a", {href, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  if (href !== content) setTimeout(() => URL.revokeObjectURL(href), 10000);
}

const csvProperties = ["run", "status", "kind", "family", "variant", "device", "device_id", "phase", "repetition"];
const csvRest = ["rate", "rate_low", "rate_high", "confidence", "rate_unit", "median_s", "samples", "fraction_of_bound", "verified",
  "synthetic", "failure_kind", "reason"];

// A spreadsheet takes text that starts so for a formula; an apostrophe keeps it text.
function csvField(value) {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// One column for each axis, "problem.reference_bases" and "point.k".
function recordsAsCsv(order) {
  const axes = new Map();
  for (const part of ["problem", "point"])
    for (const i of order)
      for (const axis of Object.keys(records.get(part, i))) axes.set(`${part}.${axis}`, [part, axis]);
  const lines = [["record", ...csvProperties, ...axes.keys(), ...csvRest]];
  for (const i of order)
    lines.push([i, ...csvProperties.map((name) => records.get(name, i)),
      ...Array.from(axes.values(), ([part, axis]) => records.get(part, i)[axis]),
      ...csvRest.map((name) => records.get(name, i))]);
  return lines.map((line) => line.map(csvField).join(",")).join("\r\n") + "\r\n";
}

function recordsAsJson(order) {
  return JSON.stringify(order.map((i) => ({record: i, ...wholeRecord(i)})), null, 1);
}
