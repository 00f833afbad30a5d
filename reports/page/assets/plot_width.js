"use strict";
// Plots as wide as the page: a specification is laid out anew for a width, its letters stay as large as they are.
// The page itself has title and notes; a specification says in "usermeta" what stands beside its plots.

const plotGap = 36, plotPadding = 34, narrowPage = 700;
const leastPlot = 220, mostStretch = 2.6, mostHeight = 1.35;
const letterWidth = 6.6;  // of the titles of panels

// The widest name of a row, in the font of an axis.
const nameWidth = (() => {
  const context = document.createElement("canvas").getContext("2d");
  return (names) => {
    context.font = "11px Helvetica, Arial, 'Liberation Sans', sans-serif";
    return Math.max(...names.map((name) => context.measureText(name).width));
  };
})();

// Pixels beside the plots of a specification: of rows what their names take, else as it says.
function besidePlots(panels, usermeta, nameLimit) {
  const names = panels.flatMap((panel) => panel.encoding?.y?.scale?.domain ?? []).filter((name) => typeof name === "string");
  return names.length ? Math.min(nameLimit, nameWidth(names)) + 8 : usermeta.beside;
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

function fittedPanel(panel, factor, stretches, nameLimit) {
  const width = Math.round(panel.width * factor);
  const made = {...panel, width};
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
