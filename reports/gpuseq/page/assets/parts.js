"use strict";
// Parts of the page: what follows the filter beside plots and records, what is closed, what can be copied.

// Rows of winners follow their records, cards of devices the choice of devices.
function hideParts() {
  for (const row of document.querySelectorAll("tr[data-of-record]")) row.hidden = filter.passes[row.dataset.ofRecord] !== 1;
  for (const family of document.querySelectorAll("#winners .family"))
    family.hidden = !family.querySelector("tbody tr:not([hidden])");
  const none = document.getElementById("winners-none");
  if (none) none.hidden = Boolean(document.querySelector("#winners .family:not([hidden])"));
  const devices = new Set(filter.terms.filter((term) => term.name === "device").map((term) => term.value));
  for (const card of document.querySelectorAll("[data-device]"))
    card.hidden = devices.size > 0 && !devices.has(card.dataset.device);
}

// Opens whatever closes an element, which it may be itself.
function unfold(place) {
  for (let part = place; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
}

// What the address names may stand in something closed.
function unfoldAddress() {
  let name = location.hash.slice(1);
  try {
    name = decodeURIComponent(name);
  } catch {
    return;
  }
  const place = name && document.getElementById(name);
  if (!place?.closest("details")) return;
  unfold(place);
  place.scrollIntoView();
}

function showRecords() {
  const place = document.getElementById("records");
  unfold(place);
  place.scrollIntoView();
}

async function copyText(text, said) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", {class: "unseen"});
    field.value = text;
    document.body.append(field);
    field.select();
    done = document.execCommand("copy");
    field.remove();
  }
  said.textContent = done ? "Copied" : "Select the line to copy it";
  setTimeout(() => { said.textContent = ""; }, 2000);
}

function buildParts() {
  document.querySelector("#winners")?.append(
    element("p", {class: "empty", id: "winners-none", hidden: true}, "No winner passes the filter."));
  for (const line of document.querySelectorAll("pre.copyable")) {
    const said = element("span", {class: "note", "aria-live": "polite"});
    line.after(element("div", {class: "controls"}, button("Copy", () => copyText(line.textContent, said), {class: "copy"}), said));
  }
  filter.watchers.push(hideParts);
}
