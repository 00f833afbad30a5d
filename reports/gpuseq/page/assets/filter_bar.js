"use strict";
// The bar above figures and records: a menu for each property, one for all axes, text, and the terms in force.

function countBy(column) {
  const counts = new Map();
  for (let i = 0; i < records.count; ++i) {
    const value = String(column.values[column.rows[i]]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

// Values of every axis, those of problems first: Map of axis to Map of value to number of records.
function countAxes() {
  const axes = new Map();
  for (const part of ["problem", "point"]) {
    const column = records.pooled(part), uses = new Array(column.values.length).fill(0);
    for (let i = 0; i < records.count; ++i) ++uses[column.rows[i]];
    column.values.forEach((point, place) => {
      for (const [axis, value] of Object.entries(point)) {
        if (!axes.has(axis)) axes.set(axis, new Map());
        const counts = axes.get(axis);
        counts.set(String(value), (counts.get(String(value)) ?? 0) + uses[place]);
      }
    });
  }
  return axes;
}

function choice(term, text, count) {
  const box = element("input", {type: "checkbox", onchange: () => chooseFilter(filter.toggled(term))});
  box.checked = filter.has(term);
  box.term = term;
  return element("label", {class: "choice"}, box, element("span", {}, text), element("span", {class: "count"}, String(count)));
}

function choices(sign, name, counts) {
  const values = Array.from(counts.keys()).sort(naturalOrder.compare);
  return values.map((value) => choice({sign, name, value}, shownValue(name, value), counts.get(value)));
}

const shownValue = (name, value) => {
  const bytes = name.endsWith("_bytes") && /^\d+$/.test(value) && Number(value) >= 1024;
  return bytes ? `${value} (${bytesText(Number(value))})` : value === "tool" ? "tool (whole process)" : value;
};

// A menu that is filled when it is first opened.
function menu(title, fill) {
  const body = element("div", {class: "choices", role: "group", "aria-label": title});
  const made = element("details", {class: "menu"}, element("summary", {}, title), body);
  made.addEventListener("toggle", () => {
    if (!made.open) return;
    if (!body.hasChildNodes()) body.append(...fill());
    for (const other of document.querySelectorAll("details.menu[open]")) if (other !== made) other.open = false;
  });
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    made.open = false;
    made.querySelector("summary").focus();
  });
  return made;
}

function axisMenu() {
  return menu("Axis", () => Array.from(countAxes()).sort(([a], [b]) => naturalOrder.compare(a, b)).map(([axis, counts]) => {
    const group = element("details", {class: "axis"}, element("summary", {}, axis, element("span", {class: "count"}, String(counts.size))));
    group.addEventListener("toggle", () => {
      if (group.open && group.children.length === 1) group.append(...choices("=", axis, counts));
    });
    return group;
  }));
}

function searchField() {
  const input = element("input", {type: "search", id: "filter-text", placeholder: "Find text", "aria-label": "Find text in the records"});
  let waiting;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const others = filter.terms.filter((term) => term.name !== "text");
      const text = input.value.trim();
      chooseFilter(text ? [...others, {sign: ":", name: "text", value: text}] : others, "replace");
    }, 120);
  });
  return input;
}

function termChips() {
  return filter.terms.filter((term) => term.name !== "text").map((term) => {
    const text = `${term.name}${term.sign === "=" ? " = " : ": "}${shownValue(term.name, term.value)}`;
    return button(`${text} ×`, () => chooseFilter(filter.toggled(term)), {class: "chip", "aria-label": `Remove ${text}`});
  });
}

function buildFilterBar() {
  const bar = document.getElementById("filter-bar");
  const facets = filterFacets.filter((name) => records.pooled(name).values.length > 1);
  const menus = facets.map((name) =>
    menu(name[0].toUpperCase() + name.slice(1), () => choices(":", name, countBy(records.pooled(name)))));
  const count = element("output", {id: "filter-count", "aria-live": "polite"});
  const chips = element("div", {class: "chips"});
  const search = searchField();
  bar.append(element("form", {role: "search", "aria-label": "Filter of figures and records", onsubmit: (event) => event.preventDefault()},
    element("span", {class: "bar-title"}, "Filter"), ...menus, axisMenu(), search, count), chips);
  document.addEventListener("click", (event) => {
    for (const open of bar.querySelectorAll("details.menu[open]")) if (!open.contains(event.target)) open.open = false;
  });
  filter.watchers.push(() => {
    count.textContent = `${filter.shown.length.toLocaleString("en")} of ${records.count.toLocaleString("en")} records`;
    chips.replaceChildren(...termChips());
    if (filter.terms.length) chips.append(button("Clear filter", () => chooseFilter([]), {class: "plain", id: "filter-clear"}));
    for (const box of bar.querySelectorAll("input[type=checkbox]")) box.checked = filter.has(box.term);
    const text = filter.terms.find((term) => term.name === "text")?.value ?? "";
    if (search.value.trim() !== text) search.value = text;
  });
}
