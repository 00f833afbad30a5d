"use strict";
// One record, opened over the page: all that it holds, in the order in which one asks.

const recordView = element("dialog", {id: "record-view", "aria-labelledby": "record-title"});

function part(title, ...content) {
  const shown = content.filter((item) => item && (!(item instanceof Element) || item.tagName !== "DL" || item.hasChildNodes()));
  return shown.length ? element("section", {}, element("h3", {}, title), ...shown) : null;
}

const reasonWhy = (reason) => element("p", {class: "note"}, `None: ${reason || "no reason is recorded"}.`);

function headline(i, record) {
  const {statistics} = record;
  if (!statistics) {
    const {kind, reason} = record.failure ?? {};
    return element("p", {class: "headline failed"}, `${record.status}${kind ? ` (${wordsOf(kind)})` : ""}: ${reason || "no reason is recorded"}`);
  }
  const interval = statistics.confidence === null ? `no interval: ${statistics.interval_reason}`
    : `${scaled(statistics.rate_low)} to ${rateText(statistics.rate_high, statistics.rate_unit)} at ${shareText(statistics.confidence)} confidence`;
  const share = record.bound ? ` · ${shareText(record.bound.fraction)} of its bound` : "";
  return element("div", {class: "headline"}, element("strong", {}, rateText(statistics.rate, statistics.rate_unit)),
    element("span", {class: "note"}, `${interval}${share}`));
}

function samplesPart(record) {
  const {samples_s, statistics} = record;
  const thrown = record.discarded_throttled, disturbed = record.discarded_disturbed;
  return part("Samples",
    samples_s.length ? samplePlot(samples_s, statistics, `Seconds of ${samples_s.length} samples in the order of taking`) : reasonWhy(record.failure?.reason),
    statistics && samples_s.length ? element("p", {class: "note"}, "Line: median; band: its confidence interval.") : null,
    thrown ? element("p", {class: "note"}, `${thrown} more were discarded: the clock was throttled.`) : null,
    disturbed ? element("p", {class: "note"}, `${disturbed} more were discarded: other programs used the processor's cores.`) : null,
    record.reference_loop ? element("p", {class: "note"}, `Next to the samples, a loop of additions took ${record.reference_loop.slowdown.toFixed(2)} times its best.`) : null);
}

function optionalPart(title, record, key) {
  const reason = record[`${key}_reason`];
  if (record[key]) return part(title, definitionList(record[key]));
  return reason ? part(title, reasonWhy(reason)) : null;
}

function sideSamples(record) {
  return Object.entries(record.side_samples_s ?? {}).filter(([, samples]) => samples.length).map(([name, samples]) =>
    part(`Side samples: ${wordsOf(name)}`, samplePlot(samples, null, `Side samples ${name}`)));
}

function provenancePart(record) {
  const {device, host, program, ...rest} = record.provenance;
  const folded = Object.entries({device, host, program}).filter(([, object]) => object && typeof object === "object").map(([name, object]) =>
    element("details", {}, element("summary", {}, name[0].toUpperCase() + name.slice(1)), definitionList(object)));
  return part("Provenance", definitionList({...rest, problem_hash: record.problem_hash}), ...folded);
}

function fillRecordView(i) {
  const record = wholeRecord(i);
  const place = recordTable.order.indexOf(i);
  const step = (by) => recordTable.order[place + by];
  const jump = (text, by, id) => button(text, () => openRecord(step(by)), {id, disabled: place < 0 || step(by) === undefined});
  const state = {family: record.family, variant: record.variant, device: `${record.device_name} (${record.device})`, run: record.run,
    kind: record.kind === "tool" ? "tool (whole process)" : record.kind, phase: record.phase, repetition: record.repetition,
    work: `${describe("", record.work.amount)} ${record.work.unit}`};
  recordView.replaceChildren(
    element("header", {}, element("div", {}, element("p", {class: "note"}, `Record ${i} · ${record.status}`),
      element("h2", {id: "record-title"}, `${record.family} / ${record.variant} `, ...badgesOf(i))),
      element("div", {class: "controls"}, jump("Previous", -1, "record-previous"), jump("Next", 1, "record-next"),
        button("JSON", () => download(`record-${i}.json`, "application/json", recordsAsJson([i])), {id: "record-json"}),
        button("Close", () => recordView.close(), {id: "record-close", autofocus: true}))),
    element("div", {class: "record-body"}, ...[
      headline(i, record), samplesPart(record), part("State", definitionList(state)), part("Problem", record.problem_label ? element("p", {}, record.problem_label) : null, definitionList(record.problem)),
      part("Point", definitionList(record.point)), record.statistics ? part("Statistics", definitionList(record.statistics)) : null,
      optionalPart("Bound", record, "bound"), optionalPart("Verification", record, "verification"), optionalPart("Counters", record, "counters"),
      optionalPart("Energy", record, "energy"), optionalPart("Resources", record, "resources"), optionalPart("Traffic", record, "traffic"),
      optionalPart("Instructions", record, "instructions"),
      record.notes.length ? part("Notes", element("ul", {}, ...record.notes.map((note) => element("li", {}, note)))) : null,
      ...sideSamples(record), part("Facts", definitionList(record.facts)), provenancePart(record)].filter(Boolean)));
}

function showRecord(i) {
  fillRecordView(i);
  if (!recordView.open) recordView.showModal();
  recordView.scrollTop = 0;
}

function buildRecordView() {
  document.body.append(recordView);
  recordView.addEventListener("close", leaveRecord);
  // A click on the backdrop has the dialog itself as its target; one on the content has not.
  recordView.addEventListener("click", (event) => {
    if (event.target === recordView) recordView.close();
  });
}
