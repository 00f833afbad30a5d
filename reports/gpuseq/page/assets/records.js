"use strict";
// The records: columns for the table and the filter are read as the page opens, the rest of a record when it is wanted.

const recordColumns = JSON.parse(document.getElementById("record-columns").textContent);

const records = {
  count: recordColumns.count,
  // Any column of record `i`; null where the record has no such number.
  get(name, i) {
    const pooled = recordColumns.pooled[name];
    return pooled ? pooled.values[pooled.rows[i]] : recordColumns.numbers[name][i];
  },
  // A column of few values: {values, rows}, rows[i] the place of record i's value.
  pooled(name) {
    return recordColumns.pooled[name];
  },
};

function pointText(point, leftOut) {
  const parts = [];
  for (const [axis, value] of Object.entries(point)) if (!leftOut?.has(axis)) parts.push(`${axis}=${value}`);
  return parts.join(", ");
}

// What the text of a filter is looked for in.
const recordWords = (() => {
  const words = [];
  return (i) => {
    words[i] ??= ["status", "kind", "family", "variant", "device", "run", "phase", "failure_kind", "reason"]
      .map((name) => records.get(name, i))
      .concat(pointText(records.get("problem", i)), pointText(records.get("point", i)))
      .concat(records.get("synthetic", i) ? "synthetic" : "", records.get("kind", i) === "tool" ? "whole process" : "")
      .join(" ").toLowerCase();
    return words[i];
  };
})();

// Per family the axes that all its records share, "problem" and "point" apart: tables leave them out.
const commonAxes = (() => {
  const found = {};
  return (part, family) => {
    found[part] ??= findCommonAxes(part);
    return found[part].get(family);
  };
})();

function findCommonAxes(part) {
  const families = records.pooled("family"), points = records.pooled(part);
  const seen = new Set(), common = new Map(), differing = new Map();
  for (let i = 0; i < records.count; ++i) {
    const key = families.rows[i] * points.values.length + points.rows[i];
    if (seen.has(key)) continue;
    seen.add(key);
    const family = families.values[families.rows[i]], point = points.values[points.rows[i]];
    if (!common.has(family)) {
      common.set(family, new Map(Object.entries(point)));
      differing.set(family, false);
      continue;
    }
    differing.set(family, true);
    const axes = common.get(family);
    for (const [axis, value] of axes) if (point[axis] !== value) axes.delete(axis);
  }
  // A family of one point keeps its axes.
  return new Map(Array.from(common, ([family, axes]) => [family, differing.get(family) ? axes : new Map()]));
}

// Undoes JsonPacker (packed_json.hpp).
function unpack(packed, dictionary) {
  if (!Array.isArray(packed)) return packed;
  const [shape, ...items] = packed;
  if (shape === -2) return unpack(dictionary.pool[items[0]], dictionary);
  const values = items.map((item) => unpack(item, dictionary));
  if (shape === -1) return values;
  // Not by assignment: a key may be "__proto__".
  return Object.fromEntries(dictionary.shapes[shape].map((key, place) => [key, values[place]]));
}

const recordDetails = (() => {
  let dictionary;
  const chunks = [];
  const parse = (id) => JSON.parse(document.getElementById(id).textContent);
  return (i) => {
    dictionary ??= parse("record-dictionary");
    const chunk = Math.floor(i / recordColumns.per_chunk);
    chunks[chunk] ??= parse(`record-details-${chunk}`);
    const [rest, own, common] = chunks[chunk][i % recordColumns.per_chunk].map((part) => unpack(part, dictionary));
    return {...rest, provenance: {...common, ...own}};
  };
})();

// A whole record in the words of records.jsonl; numbers have six significant digits.
function wholeRecord(i) {
  const record = {};
  for (const name of ["family", "variant", "problem", "point", "kind", "phase", "repetition", "status", "synthetic", "run"])
    record[name] = records.get(name, i);
  record.device = records.get("device_id", i);
  record.device_name = records.get("device", i);
  const reason = records.get("reason", i), kind = records.get("failure_kind", i);
  record.failure = reason || kind ? {kind, reason} : null;
  return {...record, ...recordDetails(i)};
}
