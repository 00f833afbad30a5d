"use strict";
// Plots are drawn when they come near the window, from those rows of their data whose records pass the filter.
// They take their text colour from the page, so they need no redrawing when the theme changes.

const plots = Array.from(document.querySelectorAll(".plot"), (place) => ({
  place, id: place.closest("figure").id, near: false, drawn: "", view: null, unfiltered: "unfiltered" in place.dataset,
}));
let filterVersion = 0, layoutVersion = 0;

// What a plot shows now if it was drawn since its filter and its width changed.
const versionOf = (plot) => `${plot.unfiltered ? 0 : filterVersion} ${layoutVersion}`;

function specOf(plot) {
  plot.spec ??= JSON.parse(document.getElementById(plot.place.dataset.spec).textContent);
  return plot.spec;
}

const hasRecord = (row) => row !== null && typeof row === "object" && typeof row.record === "number";

const passesFilter = (i) => filter.passes[i] === 1;

// Whether there are records of which none passes.
const nonePasses = (found, passes) => found.size > 0 && !Array.from(found).some(passes);

// A copy of a specification whose data rows pass; rows of no record (published values, say) always do. Panels without
// a record left go: scales of nothing have no extent.
function withRows(value, passes) {
  if (Array.isArray(value)) {
    const kept = value.some(hasRecord) ? value.filter((row) => !hasRecord(row) || passes(row.record)) : value;
    return kept.map((item) => (hasRecord(item) ? item : withRows(item, passes)));
  }
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) =>
    [key, withRows(key === "concat" ? item.filter((panel) => !nonePasses(recordsIn(panel), passes)) : item, passes)]));
}

function recordsIn(value, found = new Set()) {
  if (Array.isArray(value)) for (const item of value) hasRecord(item) ? found.add(item.record) : recordsIn(item, found);
  else if (value !== null && typeof value === "object") for (const item of Object.values(value)) recordsIn(item, found);
  return found;
}

function recordsOfFigure(id) {
  const plot = plots.find((other) => other.id === id);
  if (!plot) return new Set();
  return plot.records ??= recordsIn(specOf(plot));
}

// The colours of the page in place of those of paper; data and words stay as they are.
function themed(value, key = "") {
  const {ink, muted, paper} = document.getElementById("explore").dataset;
  if (["data", "text", "description"].includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => themed(item));
  if (value !== null && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, themed(item, name)]));
  return value === ink || value === muted ? "currentColor" : value === paper ? "transparent" : value;
}

function filteredSpec(plot) {
  return filter.terms.length && !plot.unfiltered ? withRows(specOf(plot), passesFilter) : specOf(plot);
}

function listen(plot, view) {
  const recordAt = (item) => (hasRecord(item?.datum) ? item.datum.record : null);
  view.addEventListener("click", (event, item) => {
    if (recordAt(item) !== null) openRecord(recordAt(item));
  });
  view.addEventListener("mousemove", (event, item) => {
    plot.place.style.cursor = recordAt(item) === null ? "" : "pointer";
  });
}

async function drawPlot(plot) {
  const version = plot.drawn = versionOf(plot);
  if (!plot.unfiltered && nonePasses(recordsOfFigure(plot.id), passesFilter)) {
    plot.view?.finalize();
    plot.view = null;
    plot.place.replaceChildren(element("p", {class: "empty"}, "No record of this plot passes the filter."));
    return;
  }
  const width = plot.place.clientWidth || document.getElementById("explore").clientWidth;  // of what is closed: that of the page
  const {$schema, ...spec} = themed(fitted(filteredSpec(plot), width));  // the scripts would remark on a version other than their own
  try {
    const target = element("div");
    const {view} = await vegaEmbed(target, spec, {mode: "vega-lite", renderer: "svg", actions: false});
    if (version !== plot.drawn) return view.finalize();
    plot.view?.finalize();
    plot.view = view;
    plot.place.replaceChildren(target);
    listen(plot, view);
  } catch (error) {
    plot.place.textContent = `This plot cannot be drawn: ${error.message}`;
    console.error(error);
  }
}

const isStale = (plot) => plot.drawn !== versionOf(plot);

// One after another, what is in the window first, so that the page stays usable meanwhile.
let drawing = false;
async function drawNear() {
  if (drawing) return;
  drawing = true;
  let count = 0;
  const distance = (plot) => {
    const {top, bottom} = plot.place.getBoundingClientRect();
    return Math.max(0, top - innerHeight, -bottom);
  };
  for (;;) {
    const waiting = plots.filter((plot) => plot.near && isStale(plot));
    if (!waiting.length) break;
    await drawPlot(waiting.reduce((a, b) => (distance(b) < distance(a) ? b : a)));
    await new Promise((resume) => setTimeout(resume));
    ++count;
  }
  drawing = false;
  if (count) performance.mark("plots-drawn");
}

async function exportPlot(plot, kind) {
  const spec = filteredSpec(plot);
  if (kind === "json") return download(`${plot.id}.vl.json`, "application/json", JSON.stringify(spec, null, 1));
  const {$schema, ...drawn} = spec;
  const {view, finalize} = await vegaEmbed(element("div"), drawn, {mode: "vega-lite", renderer: "svg", actions: false});
  if (kind === "svg") download(`${plot.id}.svg`, "image/svg+xml", await view.toSVG());
  else download(`${plot.id}.png`, "image/png", await view.toImageURL("png", 2));
  finalize();
}

function plotControls(plot) {
  const save = (kind, text) => button(text, () => exportPlot(plot, kind), {"data-export": kind, "aria-label": `Save this plot as ${text}`});
  const only = {sign: ":", name: "figure", value: plot.id};
  return element("div", {class: "controls"}, save("svg", "SVG"), save("png", "PNG"), save("json", "Vega-Lite"),
    button("List its records", () => {
      chooseFilter([only]);
      showRecords();
    }, {"data-list": plot.id}));
}

function drawAnewWhenResized() {
  const page = document.getElementById("explore");
  let width = page.clientWidth, waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (Math.abs(page.clientWidth - width) < 16) return;
      width = page.clientWidth;
      ++layoutVersion;
      drawNear();
    }, 150);
  });
}

function buildPlots() {
  if (!plots.length || typeof vegaEmbed === "undefined") return;
  const watch = new IntersectionObserver((changes) => {
    for (const {target, isIntersecting} of changes) plots.find((plot) => plot.place === target).near = isIntersecting;
    drawNear();
  }, {rootMargin: "500px"});
  for (const plot of plots) {
    plot.place.closest("figure").append(plotControls(plot));
    watch.observe(plot.place);
  }
  let waiting;
  filter.watchers.push(() => {
    ++filterVersion;
    clearTimeout(waiting);
    waiting = setTimeout(drawNear, 60);
  });
  drawAnewWhenResized();
  window.addEventListener("beforeprint", () => plots.filter(isStale).forEach(drawPlot));
}
