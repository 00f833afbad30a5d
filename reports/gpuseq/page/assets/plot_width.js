"use strict";
// Plots as wide as the page: a specification is laid out anew for a width, its letters stay as large as they are.
// The page itself has title and notes; a specification says in "usermeta" what stands beside its plots.

const plotGap = 36, plotPadding = 34, narrowPage = 700;
const leastPlot = 220, mostStretch = 2.6, mostHeight = 1.35;
const labelsApart = 9, mostMoved = 1.1;  // pixels between labels of a row; a share of the widest label
const letterWidth = 6.6;  // of the titles of panels

const textWidth = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (text, size) => {
    context.font = `${size}px Helvetica, Arial, 'Liberation Sans', sans-serif`;
    return context.measureText(text).width;
  };
})();

// Pixels beside the plots of a specification: of rows what their names take, else as it says.
function besidePlots(panels, usermeta, nameLimit) {
  const names = panels.flatMap((panel) => panel.encoding?.y?.scale?.domain ?? []).filter((name) => typeof name === "string");
  return names.length ? Math.min(nameLimit, Math.max(...names.map((name) => textWidth(name, 11)))) + 8 : usermeta.beside;
}

// Lines of at most so many letters, where words allow.
function wrapWords(text, letters) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line && line.length + 1 + word.length > letters) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

// Left ends of labels of these sizes over their places, moved apart in one row where they would touch; null where one
// would have to move too far. `_Rows.spread` in line_layout.py does so for the width that a specification is made for.
function spread(places, sizes, width) {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]), mean = (run) => run.sum / run.labels.length;
  const before = [], runs = [], starts = [];
  let used = 0;
  for (const i of order) {
    before[i] = used;
    runs.push({sum: places[i] - sizes[i] / 2 - used, labels: [i]});
    used += sizes[i] + labelsApart;
    while (runs.length > 1 && mean(runs.at(-2)) > mean(runs.at(-1))) {
      const last = runs.pop();
      runs.at(-1).sum += last.sum;
      runs.at(-1).labels.push(...last.labels);
    }
  }
  const most = width - used + labelsApart;
  for (const run of runs) for (const i of run.labels) starts[i] = Math.min(Math.max(mean(run), 0), most) + before[i];
  const moved = Math.max(...places.map((place, i) => Math.abs(starts[i] - place + sizes[i] / 2)));
  return most < 0 || moved > mostMoved * Math.max(...sizes) ? null : starts;
}

// Labels above a plot, of lines and of shaded stretches, in as many rows as keep them apart at a width; the lines reach
// up to theirs.
function withLabelsApart(panel, width) {
  const {type, domain} = panel.encoding?.x?.scale ?? {};
  if (!panel.layer || !domain) return panel;
  const scale = type === "log" ? Math.log : (value) => value;
  const place = (at) => (scale(at) - scale(domain[0])) / (scale(domain[1]) - scale(domain[0])) * width;
  const isAbove = (layer) => layer.encoding?.y?.value < 0, at = (layer) => layer.data.values[0].at;
  const isLabel = (layer) => isAbove(layer) && layer.mark.type === "text";
  const lines = panel.layer.filter((layer) => isAbove(layer) && layer.mark.type === "rule").map(at);
  const sizeOf = (layer) => textWidth(layer.data.values[0].label, layer.mark.fontSize);
  const bands = panel.layer.filter((layer) => isLabel(layer) && !lines.includes(at(layer)));
  const apart = bands.length ? spread(bands.map((layer) => place(at(layer))), bands.map(sizeOf), width) : null;
  const rows = [], rowOf = new Map(), shifts = new Map();
  for (const layer of panel.layer.filter(isLabel).sort((a, b) => lines.includes(at(a)) - lines.includes(at(b)) || at(b) - at(a))) {
    const size = sizeOf(layer), x = place(at(layer)), band = bands.indexOf(layer);
    const start = band >= 0 && apart ? apart[band] : band >= 0 ? Math.max(0, Math.min(x - size / 2, width - size))
      : x + 4 + size <= width ? x + 4 : Math.max(0, x - 4 - size);
    let row = rows.findIndex((spans) => spans.every(([from, to]) => start + size + 8 <= from || to + 8 <= start));
    if (row < 0) row = rows.push([]) - 1;
    rows[row].push([start, start + size]);
    rowOf.set(at(layer), row);
    shifts.set(layer, start - x);
  }
  const layer = panel.layer.map((one) => {
    if (!isAbove(one) || !rowOf.has(at(one))) return one;
    const y = {value: -2 - 13 * rowOf.get(at(one))};
    const mark = shifts.has(one) ? {...one.mark, dx: shifts.get(one)} : one.mark;
    return {...one, mark, encoding: {...one.encoding, y}};
  });
  return {...panel, layer};
}

function fittedPanel(panel, factor, stretches, nameLimit) {
  const width = Math.round(panel.width * factor);
  const made = {...withLabelsApart(panel, width), width};
  if (stretches) made.height = Math.round(panel.height * Math.min(mostHeight, Math.max(1, Math.sqrt(factor))));
  if (typeof panel.title?.text === "string")
    made.title = {...panel.title, text: wrapWords(panel.title.text, Math.max(24, Math.floor(width / letterWidth)))};
  const names = panel.encoding?.y?.axis;
  if (names?.labelLimit > nameLimit)
    made.encoding = {...panel.encoding, y: {...panel.encoding.y, axis: {...names, labelLimit: nameLimit}}};
  return made;
}

// Legends in as many columns as the width has room for; those of specifications are made for 640 pixels.
function withLegends(value, share) {
  if (Array.isArray(value)) return value.map((item) => withLegends(item, share));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => {
    if (name === "data" || name === "title") return [name, item];
    if (name === "legend" && item?.columns) return [name, {...item, columns: Math.max(1, Math.floor(item.columns * share))}];
    return [name, withLegends(item, share)];
  }));
}

function fitted(spec, available) {
  const {title, usermeta, ...rest} = spec;
  if (!usermeta) return rest;
  const panels = rest.concat ?? [rest], columns = available < narrowPage ? 1 : Math.min(rest.columns ?? 1, panels.length);
  const nameLimit = Math.min(330, Math.round(available * 0.36)), beside = besidePlots(panels, usermeta, nameLimit);
  const widest = Math.max(...panels.map((panel) => panel.width));
  const room = (available - plotPadding - (columns - 1) * plotGap) / columns - beside;
  const factor = Math.min(mostStretch, Math.max(leastPlot, room) / widest);
  const fit = (panel) => withLegends(fittedPanel(panel, factor, usermeta.stretches, nameLimit), available / 640);
  const config = {...rest.config, legend: {...rest.config?.legend, labelLimit: Math.min(320, available - 60)}};
  return rest.concat ? {...rest, config, columns, concat: panels.map(fit)} : {...fit(rest), config};
}
