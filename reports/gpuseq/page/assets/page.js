"use strict";
// The address says what is shown: #record-17 a record, #filter=family:fm_index&k=2 a filter; so links can be
// shared, and back and forward work.

const filterAddress = (terms) => (terms.length ? `#filter=${encodeFilter(terms)}` : location.pathname + location.search);

function chooseFilter(terms, how = "push") {
  history[how === "push" ? "pushState" : "replaceState"](null, "", filterAddress(terms));
  filter.set(terms);
}

let opener = null;

function openRecord(i) {
  if (!recordView.open) opener = document.activeElement;
  const state = {fromPage: recordView.open ? history.state?.fromPage : true};
  history[recordView.open ? "replaceState" : "pushState"](state, "", `#record-${i}`);
  showRecord(i);
}

// The dialog was closed: back to where the reader came from, or to the filter where a link led to the record.
// The event comes some time after the closing: the address may have opened a record again since then.
function leaveRecord() {
  if (recordView.open || !location.hash.startsWith("#record-")) return;
  // Going back to an address with a fragment takes the focus away that closing gave back.
  if (history.state?.fromPage) {
    window.addEventListener("popstate", () => setTimeout(() => opener?.focus({preventScroll: true})), {once: true});
    history.back();
  } else history.replaceState(null, "", filterAddress(filter.terms));
}

function recordInAddress() {
  const match = /^#record-(\d+)$/.exec(location.hash);
  return match && Number(match[1]) < records.count ? Number(match[1]) : null;
}

function followAddress() {
  const record = recordInAddress();
  if (record !== null) return showRecord(record);
  if (recordView.open) recordView.close();
  const terms = location.hash.startsWith("#filter=") ? decodeFilter(location.hash.slice("#filter=".length)) : [];
  if (location.hash.startsWith("#filter=")) unfold(document.getElementById("records"));
  const elsewhere = location.hash !== "" && !location.hash.startsWith("#filter=");  // a section: the filter stays
  if (elsewhere) unfoldAddress();
  else if (encodeFilter(terms) !== encodeFilter(filter.terms)) filter.set(terms);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#record-']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openRecord(Number(link.getAttribute("href").slice("#record-".length)));
});

function openPage() {
  buildRecordView();
  buildFilterBar();
  buildRecordTable();
  buildPlots();
  buildParts();
  filter.set(location.hash.startsWith("#filter=") ? decodeFilter(location.hash.slice("#filter=".length)) : []);
  performance.mark("table-ready");
  window.addEventListener("popstate", followAddress);
  if (location.hash.startsWith("#filter=")) document.getElementById("explore").scrollIntoView();
  // Details follow the scripts in the file: a record can be opened once the whole page is there.
  document.addEventListener("DOMContentLoaded", followAddress);
}
openPage();
