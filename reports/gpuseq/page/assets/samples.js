"use strict";
// The samples of a record as dots in the order of taking, over the median and its interval.

function svgElement(tag, attributes = {}, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Two to six round values from `low` to `high`.
function roundTicks(low, high) {
  const rough = (high - low) / 4 || Math.abs(high) || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999);
  const ticks = [];
  for (let place = Math.ceil(low / step); place * step <= high * (1 + 1e-12); ++place) ticks.push(place * step);
  return ticks;
}

// Ticks a small step apart need more digits than three: "529.4 µs", "529.6 µs".
function tickText(value, step) {
  const digits = Math.min(8, Math.max(3, Math.ceil(Math.log10(Math.abs(value) / step)) + 1));
  const short = Number(value.toPrecision(digits));
  const power = Math.min(0, Math.max(-4, Math.floor(Math.log10(Math.abs(short)) / 3)));
  return `${Number((short / 1000 ** power).toPrecision(digits))} ${["s", "ms", "µs", "ns", "ps"][-power]}`;
}

// `statistics` may be null: dots only.
function samplePlot(samples_s, statistics, label) {
  const width = 640, height = 170, left = 84, right = 12, top = 10, bottom = 26;
  const values = [...samples_s, ...[statistics?.low_s, statistics?.high_s].filter((end) => typeof end === "number")];
  const smallest = Math.min(...values), largest = Math.max(...values);
  const margin = (largest - smallest) * 0.08 || Math.abs(largest) * 0.01 || 1;
  const low = smallest - margin, high = largest + margin;
  const x = (place) => left + (place + 0.5) / samples_s.length * (width - left - right);
  const y = (value) => top + (high - value) / (high - low) * (height - top - bottom);
  const svg = svgElement("svg", {viewBox: `0 0 ${width} ${height}`, class: "samples", role: "img", "aria-label": label});
  const ticks = roundTicks(low, high), step = ticks.length > 1 ? ticks[1] - ticks[0] : high - low;
  for (const tick of ticks) {
    svg.append(svgElement("line", {class: "grid", x1: left, x2: width - right, y1: y(tick), y2: y(tick)}));
    svg.append(svgElement("text", {x: left - 8, y: y(tick) + 4, "text-anchor": "end"}, tick === 0 ? "0 s" : tickText(tick, step)));
  }
  if (statistics) {
    if (statistics.low_s !== null)
      svg.append(svgElement("rect", {class: "interval", x: left, width: width - left - right, y: y(statistics.high_s),
        height: Math.max(1, y(statistics.low_s) - y(statistics.high_s))}));
    svg.append(svgElement("line", {class: "median", x1: left, x2: width - right, y1: y(statistics.median_s), y2: y(statistics.median_s)}));
  }
  samples_s.forEach((value, place) => {
    const dot = svgElement("circle", {cx: x(place), cy: y(value), r: samples_s.length > 200 ? 1.5 : 3});
    dot.append(svgElement("title", {}, `sample ${place + 1}: ${tickText(value, step)}`));
    svg.append(dot);
  });
  svg.append(svgElement("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"},
    `${samples_s.length} ${samples_s.length === 1 ? "sample" : "samples"} in the order of taking`));
  return svg;
}
