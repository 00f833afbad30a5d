"use strict";
// Marks that can be hit: the pointer near a mark acts on it, as if it were on the mark. Vega gets events for the mark,
// so its tooltip and its click are those of the mark itself.

const hitRadius = 14;  // pixels around the middle of a mark

// Middles of the marks of a drawn plot that have a tooltip. A plot that is drawn again has another svg.
const hitPlaces = (() => {
  const known = new WeakMap();
  return (svg) => {
    if (!known.has(svg)) {
      const origin = svg.getBoundingClientRect(), found = [];
      for (const mark of svg.querySelectorAll(".role-mark path, .role-mark rect")) {
        if (!mark.__data__?.tooltip) continue;
        const box = mark.getBoundingClientRect();
        if (Math.max(box.width, box.height) > 2 * hitRadius) continue;  // a bar is large enough
        found.push([mark, (box.left + box.right) / 2 - origin.left, (box.top + box.bottom) / 2 - origin.top]);
      }
      known.set(svg, {places: found, width: origin.width});
    }
    const of = known.get(svg);
    if (Math.abs(svg.getBoundingClientRect().width - of.width) < 1) return of.places;
    known.delete(svg);  // scaled since then
    return hitPlaces(svg);
  };
})();

function nearestMark(svg, event) {
  const origin = svg.getBoundingClientRect();
  const x = event.clientX - origin.left, y = event.clientY - origin.top;
  let nearest = null, least = hitRadius;
  for (const [mark, atX, atY] of hitPlaces(svg)) {
    const distance = Math.hypot(atX - x, atY - y);
    if (distance < least) [nearest, least] = [mark, distance];
  }
  return nearest;
}

let hitMark = null;  // the mark that the pointer is near, but not on

function leaveMark() {
  for (const kind of [PointerEvent, MouseEvent])
    hitMark?.dispatchEvent(new kind(kind === PointerEvent ? "pointerout" : "mouseout", {bubbles: true}));
  hitMark = null;
}

// Vega identifies a mark by the target of an event.
function passOn(event) {
  if (!event.isTrusted || !(event.target instanceof Element)) return;
  const svg = event.target.closest(".plot svg");
  const mark = !svg || event.target.__data__?.tooltip ? null : nearestMark(svg, event);
  if (mark !== hitMark) leaveMark();
  svg?.closest(".plot").classList.toggle("on-mark", typeof mark?.__data__.datum?.record === "number");
  if (!mark) return;
  hitMark = mark;
  event.stopPropagation();
  const {type, clientX, clientY, screenX, screenY} = event;
  const kind = type.startsWith("pointer") ? PointerEvent : MouseEvent;
  mark.dispatchEvent(new kind(type, {bubbles: true, clientX, clientY, screenX, screenY}));
}

for (const type of ["pointermove", "mousemove", "click"]) document.addEventListener(type, passOn, true);
