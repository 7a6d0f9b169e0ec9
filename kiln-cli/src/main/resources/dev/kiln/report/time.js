// One time axis: its ruler, the cursor across all panels, the marked stretch, zoom, and the keys.

const beside = document.getElementById("beside"), ruler = document.getElementById("ruler");
const reset = document.getElementById("reset"), stack = document.getElementById("panels");
let cursor = null, mark = null, pinned = false;

const share = time => 100 * (time - state.from) / (state.to - state.from);

function span(className, from, to, text) {
  const element = document.createElement("span");
  element.className = className;
  element.style.left = Math.max(0, share(from)) + "%";
  if (to !== null) element.style.width = Math.max(0, Math.min(100, share(to)) - Math.max(0, share(from))) + "%";
  element.textContent = text;
  return element;
}

/** Peaks have their words at the left of the first panel, this wide: no name of a phase may be there. */
const PEAK_WORDS = 125;

/** Start and pause as bands behind the panels, named in the first where the name fits. */
function layPhases() {
  const start = state.whole[0] < -1 && !data.fromLaunch ? [{ name: "start", kind: "measure", start: state.whole[0], end: 0 }] : [];
  const phases = start.concat(bands).filter(phase => phase.end > state.from && phase.start < state.to);
  const ends = p => [Math.max(p.start, state.from), Math.min(p.end, state.to)].map(time => share(time) / 100 * state.width);
  const fits = p => {
    const [left, right] = ends(p), text = 7 * p.name.length;
    return right - left > text && (left + right - text) / 2 > PEAK_WORDS;
  };
  for (const under of stack.querySelectorAll(".under")) {
    const first = under.closest("[data-panel]").dataset.panel === "rate";
    under.replaceChildren(...phases.map(p => span("phase " + p.kind, p.start, p.end, first && fits(p) ? p.name : "")));
  }
}

/** Round seconds in view; one too near to the right end has no words. */
function ticks() {
  const step = round125((state.to - state.from) / (state.width / 80), true), found = [];
  for (let t = Math.ceil(state.from / step) * step; t <= state.to; t += step) {
    found.push({ t, text: share(t) < 97 ? format(t || 0, 1) + " s" : "" });
  }
  return found;
}

function layRuler() {
  layPhases();
  const parts = [];
  for (const phase of bands) if (phase.kind === "pause") parts.push(span("phase", phase.start, phase.end, ""));
  for (const { t, text } of ticks()) parts.push(span("tick", t, null, text));
  for (const name of ["mark", "cursor"]) {
    const element = document.createElement("i");
    element.className = name;
    parts.push(element);
  }
  ruler.replaceChildren(...parts);
  ruler.setAttribute("aria-valuemin", Math.ceil(state.from));
  ruler.setAttribute("aria-valuemax", Math.floor(state.to));
  reset.hidden = state.from <= state.whole[0] && state.to >= state.whole[1];
}

function nearest(t, time) {
  let low = 0, high = t.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] < time) low = middle + 1; else high = middle;
  }
  if (low > 0 && Math.abs(t[low - 1] - time) <= Math.abs(t[low] - time)) low--;
  return t.length && Math.abs(t[low] - time) <= 2.5 ? low : -1;
}

function valueAt(run, s, time) {
  const i = nearest(run[s.t], time);
  return i < 0 || run[s.y][i] === null ? null : run[s.y][i];
}

/** Values at the cursor, and for those who do not see them, in words. */
function read() {
  const said = [], run = chosenRun(data, state);
  for (const element of document.querySelectorAll(".cursor")) {
    element.style.left = cursor === null ? "-9px" : share(cursor) + "%";
    element.hidden = cursor === null || share(cursor) < 0 || share(cursor) > 100;
  }
  const flag = ruler.querySelector(".cursor");
  if (flag) flag.dataset.at = cursor === null ? "" : format(cursor, 1) + " s";
  for (const id of panels) {
    if (figure(id).hidden) continue;
    const panel = PANELS[id], unit = panel.unit === "%" ? " %" : "";
    const text = (...values) => values.map(value => format(value, panel.digits)).join(" / ") + unit;
    for (const { row, lastChild } of figure(id).querySelectorAll(".legend > span")) {
      const values = cursor === null ? [null] : row.series.map(s => valueAt(row.run, s, cursor));
      lastChild.textContent = values.includes(null) ? "" : text(...panel.sum ? [values.reduce((a, b) => a + b)] : values);
    }
    // Of C2 the panel of the chosen run says it.
    if (cursor !== null && id !== "c2all") for (const s of panel.series) {
      const value = valueAt(run, s, cursor);
      if (value !== null) said.push((s.name ? titles[id] + ", " + s.name : titles[id]) + " " + text(value));
    }
  }
  ruler.setAttribute("aria-valuenow", cursor === null ? Math.round(state.from) : cursor);
  ruler.setAttribute("aria-valuetext", cursor === null ? "no moment chosen" : format(cursor, 1) + " s: " + said.join(", "));
}

function showMark() {
  for (const element of document.querySelectorAll(".mark")) {
    element.hidden = !mark;
    if (!mark) continue;
    element.style.left = share(mark[0]) + "%";
    element.style.width = share(mark[1]) - share(mark[0]) + "%";
  }
}

function moveTo(time, pin) {
  cursor = time === null ? null : Math.min(state.to, Math.max(state.from, time));
  pinned = pin && time !== null;
  read();
}

let waiting = 0;
/** At most once a frame. */
function zoom(from, to) {
  const [first, last] = state.whole, width = Math.min(last - first, Math.max(2, to - from));
  state.from = Math.min(last - width, Math.max(first, from));
  state.to = state.from + width;
  if (!waiting) waiting = requestAnimationFrame(() => {
    waiting = 0;
    redraw(true);
    layRuler();
    showMark();
    read();
  });
}

function zoomBy(factor, around) {
  const centre = around === null ? (state.from + state.to) / 2 : around;
  zoom(centre - (centre - state.from) * factor, centre + (state.to - centre) * factor);
}

function markRange(from, to) {
  mark = from === null ? null : [from, Math.max(to, from + 1)];
  if (mark) {
    const width = mark[1] - mark[0], all = state.whole[1] - state.whole[0];
    // A stretch is seen best with as much around it as it is long.
    if (width > all / 3) zoom(...state.whole);
    else zoom(mark[0] - Math.max(width, 5), mark[1] + Math.max(width, 5));
    moveTo((mark[0] + mark[1]) / 2 >> 0, true);
  }
  showMark();
}

const secondAt = event => {
  const over = event.target.closest(".plot") && event.target.closest(".plot").querySelector(".over") || event.target.closest("#ruler");
  if (!over) return null;
  const box = over.getBoundingClientRect(), x = (event.clientX - box.left) / box.width;
  return x < -0.02 || x > 1.02 ? null : state.from + Math.min(1, Math.max(0, x)) * (state.to - state.from);
};
const snap = time => state.to - state.from > 20 ? Math.round(time) : Math.round(time * 10) / 10;

let drag = null;
stack.addEventListener("pointerdown", event => {
  const time = secondAt(event);
  if (time === null || event.button || event.target.closest("button")) return;
  drag = { x: event.clientX, time, to: null };
  ruler.focus({ preventScroll: true });
});
addEventListener("pointermove", event => {
  const time = event.target.closest ? secondAt(event) : null;
  if (drag && time !== null && (drag.to !== null || Math.abs(event.clientX - drag.x) > 5)) {
    drag.to = time;
    mark = [Math.min(drag.time, time), Math.max(drag.time, time)];
    showMark();
  }
  if (time !== null) moveTo(snap(time), false);
  else if (!pinned && cursor !== null) moveTo(null, false);
});
addEventListener("pointerup", () => {
  if (!drag) return;
  const { time, to } = drag;
  drag = null;
  if (to === null) return moveTo(snap(time), true);
  mark = null;
  showMark();
  zoom(Math.min(time, to), Math.max(time, to));
});
stack.addEventListener("dblclick", () => zoom(...state.whole));
stack.addEventListener("wheel", event => {
  const time = secondAt(event), width = state.to - state.from;
  if (time === null) return;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    zoomBy(Math.exp(event.deltaY / 300), time);
  } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) && !reset.hidden) {
    event.preventDefault();
    const by = Math.min(state.whole[1] - state.to, Math.max(state.whole[0] - state.from, event.deltaX / 800 * width));
    zoom(state.from + by, state.to + by);
  }
}, { passive: false });
reset.addEventListener("click", () => { zoom(...state.whole); ruler.focus({ preventScroll: true }); });

document.getElementById("timeline").addEventListener("keydown", event => {
  const step = event.shiftKey ? 10 : 1, by = sign => moveTo(cursor === null ? (sign > 0 ? state.from : state.to)
    : Math.round(cursor) + sign * step, true);
  const actions = {
    ArrowLeft: () => by(-1), ArrowRight: () => by(1), Home: () => moveTo(state.from, true), End: () => moveTo(state.to, true),
    "+": () => zoomBy(0.5, cursor), "=": () => zoomBy(0.5, cursor), "-": () => zoomBy(2, cursor), "0": () => zoom(...state.whole),
    n: () => nextFinding(1), p: () => nextFinding(-1), Escape: clear,
  };
  if (!actions[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  actions[event.key]();
});
