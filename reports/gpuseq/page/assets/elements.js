"use strict";
// Elements and words. Whatever comes from records enters the page as text, never as markup.

// element("td", {class: "number"}, "1.2 k"): attributes that start with "on" are listeners; children are elements or text.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ""));
  return made;
}

function button(text, action, attributes = {}) {
  return element("button", {type: "button", onclick: action, ...attributes}, text);
}

// Three significant digits without an exponent, as in the rest of the report.
function threeDigits(value) {
  const magnitude = Math.abs(value);
  if (magnitude >= 1e6 || (magnitude > 0 && magnitude < 1e-4)) return value.toPrecision(3);
  if (magnitude >= 100) return value.toFixed(0);
  return String(Number(value.toPrecision(3)));
}

function scaled(value, unit = "") {
  const prefixes = ["p", "n", "µ", "m", "", "k", "M", "G", "T"];
  let step = 4;
  for (; Math.abs(value) >= 999.5 && step + 1 < prefixes.length; ++step) value /= 1000;
  for (; value !== 0 && Math.abs(value) < 0.9995 && step > 0; --step) value *= 1000;
  return `${threeDigits(value)} ${prefixes[step]}${unit}`.trim();
}

function rateText(value, unit) {
  const number = scaled(value);
  return /[a-zA-Z]$/.test(number) ? `${number} ${unit}` : `${number} ${unit}`.trim();
}

function bytesText(value) {
  const prefixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];
  let step = 0;
  for (; Math.abs(value) >= 1024 && step + 1 < prefixes.length; ++step) value /= 1024;
  return `${threeDigits(value)} ${prefixes[step]}B`;
}

function shareText(value) {
  return `${threeDigits(value * 100)} %`;
}

const wordsOf = (key) => key.replaceAll("_", " ");

// A value of a record in words: "yes", "141 GiB" for keys that end in _bytes; lists and objects in a line.
function describe(key, value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (key === "bytes" || key.endsWith("_bytes") || key.includes("_bytes_per_")) return bytesText(value);
    if (key.endsWith("_s")) return scaled(value, "s");
    return Number.isInteger(value) ? value.toLocaleString("en").replaceAll(",", "\u202f") : String(value);
  }
  if (Array.isArray(value)) return value.map((item) => describe("", item)).join("; ");
  if (value !== null && typeof value === "object")
    return Object.entries(value).map(([name, item]) => `${wordsOf(name)} ${describe(name, item)}`).join(", ");
  return String(value);
}

// A definition list; a null reads "not available" with its reason.
function definitionList(object) {
  const list = element("dl");
  for (const [key, value] of Object.entries(object)) {
    if (key.endsWith("_reason") && Object.hasOwn(object, key.slice(0, -"_reason".length))) continue;
    const reason = object[`${key}_reason`];
    const text = value !== null ? describe(key, value) : `not available${reason ? `: ${reason}` : ""}`;
    if (text === "") continue;
    const words = wordsOf(key.endsWith("_s") && typeof value === "number" ? key.slice(0, -2) : key);
    list.append(element("dt", {}, words), element("dd", {}, text));
  }
  return list;
}
