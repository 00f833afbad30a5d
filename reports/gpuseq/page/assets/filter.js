"use strict";
// A filter is a list of terms {sign, name, value}: ":" asks for a property (family, variant, device, status, kind, run),
// "=" for the value of an axis. Terms of one name are alternatives; different names must all hold.
// "figure:ID" keeps the records of a figure, "text:WORDS" those that contain every word.

const filterFacets = ["family", "variant", "device", "status", "kind", "run"];

function encodeFilter(terms) {
  return terms.map(({sign, name, value}) => encodeURIComponent(name) + sign + encodeURIComponent(value)).join("&");
}

// What is no term is left out: links are typed and cut off by people.
function decodeFilter(text) {
  const terms = [];
  for (const part of text.split("&")) {
    const match = /^([^:=]+)([:=])(.*)$/.exec(part);
    if (!match) continue;
    try {
      const [, name, sign, value] = match;
      terms.push({sign, name: decodeURIComponent(name), value: decodeURIComponent(value)});
    } catch {
      continue;
    }
  }
  return terms;
}

const sameTerm = (a, b) => a.sign === b.sign && a.name === b.name && a.value === b.value;

// For each term group a function of a record's index.
function filterTests(terms) {
  const groups = new Map();
  for (const term of terms) {
    const key = term.sign + term.name;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(term);
  }
  return Array.from(groups.values(), (group) => {
    const {sign, name} = group[0], values = new Set(group.map((term) => term.value));
    if (sign === "=") return axisTest(name, values);
    if (name === "text") return textTest(group);
    if (name === "figure") return figureTest(values);
    return filterFacets.includes(name) ? facetTest(name, values) : () => true;
  });
}

function facetTest(name, values) {
  const column = records.pooled(name), passes = column.values.map((value) => values.has(String(value)));
  return (i) => passes[column.rows[i]];
}

// Problem and tuning axes alike: a record passes by the one that has the axis.
function axisTest(axis, values) {
  const passing = ["problem", "point"].map((part) => {
    const column = records.pooled(part);
    const passes = column.values.map((point) => Object.hasOwn(point, axis) && values.has(String(point[axis])));
    return (i) => passes[column.rows[i]];
  });
  return (i) => passing[0](i) || passing[1](i);
}

function textTest(group) {
  const words = group.flatMap((term) => term.value.toLowerCase().split(/\s+/)).filter(Boolean);
  return (i) => words.every((word) => recordWords(i).includes(word));
}

function figureTest(ids) {
  const drawn = new Set(Array.from(ids).flatMap((id) => Array.from(recordsOfFigure(id))));
  return (i) => drawn.has(i);
}

// The filter in force. `shown` holds the passing records in their own order, `passes` one flag a record.
const filter = {
  terms: [],
  shown: [],
  passes: new Uint8Array(records.count),
  watchers: [],
  set(terms) {
    this.terms = terms;
    const tests = filterTests(terms);
    this.shown = [];
    for (let i = 0; i < records.count; ++i) {
      this.passes[i] = tests.every((test) => test(i)) ? 1 : 0;
      if (this.passes[i]) this.shown.push(i);
    }
    for (const watcher of this.watchers) watcher();
  },
  has(term) {
    return this.terms.some((other) => sameTerm(other, term));
  },
  toggled(term) {
    return this.has(term) ? this.terms.filter((other) => !sameTerm(other, term)) : [...this.terms, term];
  },
};
