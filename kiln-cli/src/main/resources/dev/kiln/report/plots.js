// Draws the panels that are in sight; the others when they come into it.

const dirty = new Set(), near = new Set();
const state = { shown: [], chosen: { v: 0, r: 0 }, whole: [0, 1], from: 0, to: 1, right: 150, width: 800, printing: false, last: "rate",
  why: false };
const isAll = id => Boolean(PANELS[id].all || PANELS[id].rows);
/** The ruler has the seconds; on paper there is none. */
const isLabelled = id => state.printing || id === state.last;
const figure = id => document.querySelector(`figure[data-panel="${id}"]`);
let palette = null;

function colours() {
  const css = getComputedStyle(document.documentElement), get = name => css.getPropertyValue("--" + name).trim();
  const c = { variants: [0, 1, 2, 3, 4, 5, 6, 7].map(i => get("v" + i)) };
  c.variants.forEach((colour, i) => { c["v" + i] = colour; });
  for (const name of ["fg", "rule", "grid", "pause", "c1", "c1b", "c1c", "c2", "c2b", "wait", "plain",
    "native"]) c[name] = get(name);
  return c;
}

function horizon() {
  let from = 0, to = 1;
  for (const variant of data.variants) for (const run of variant.runs) for (const t of [run.t, run.jt, run.mt]) {
    if (!t.length) continue;
    from = Math.min(from, t[0]);
    to = Math.max(to, t[t.length - 1] + 1);
  }
  for (const phase of bands) to = Math.max(to, phase.end);
  return [Math.floor(from), Math.ceil(to)];
}

/** Zooming leaves the names that do not stand at the ends of lines where they are. */
function draw(id, zooming) {
  const place = placing(id), pen = penOf(id, place);
  dirty.delete(id);
  const inset = `${place.top}px ${state.right}px ${place.height - place.bottom}px ${LEFT}px`;
  for (const layer of figure(id).querySelectorAll(".under, .over")) layer.style.inset = inset;
  axes(id, pen, place);
  pen.beginPath();
  pen.rect(LEFT, 0, state.width, place.height);
  pen.clip();
  if (isAll(id)) lines(id, pen, place); else runLines(chosenRun(data, state), PANELS[id], pen, place);
  if (isAll(id) || !zooming) legend(id, place);
}

function redraw(zooming) {
  // Asked before anything is drawn: asking between would lay the page out again each time.
  const now = panels.filter(id => !figure(id).hidden && (state.printing || near.has(id) && (!zooming || inSight(id))));
  for (const id of panels) dirty.add(id);
  for (const id of now) draw(id, zooming);
  clearTimeout(later);
  later = setTimeout(() => {
    for (const id of near) if (dirty.has(id) && !figure(id).hidden) draw(id);
    read();
  }, 150);
}

let later = 0;
const inSight = id => {
  const box = figure(id).getBoundingClientRect();
  return box.top < innerHeight && box.bottom > 0;
};

const sight = new IntersectionObserver(entries => {
  for (const entry of entries) {
    const id = entry.target.dataset.panel;
    if (!entry.isIntersecting) { near.delete(id); continue; }
    near.add(id);
    if (dirty.has(id) && !entry.target.hidden) draw(id);
  }
  read();
}, { rootMargin: "600px" });

/** Where a variant's line ends within view: mean of the runs' last values. */
function endOf(variant, s, to) {
  let sum = 0, n = 0;
  for (const run of variant.runs.length > 2 ? [leader(variant, s)] : variant.runs) {
    const t = run[s.t], y = run[s.y];
    for (let i = t.length - 1; i >= 0; i--) if (t[i] <= to && y[i] !== null) { sum += y[i]; n++; break; }
  }
  return n ? sum / n : null;
}

/** Names beside the lines' ends, or beside the panel from the top; the values at the cursor stand with them. */
function legend(id, place) {
  const box = figure(id).querySelector(".legend"), panel = PANELS[id], rows = [];
  if (isAll(id)) {
    const s = panel.series[0];
    data.variants.forEach((variant, v) => {
      const row = panel.rows ? panel.rows.length - 1 - panel.rows.indexOf(v) : 0;
      const value = !state.shown[v] || panel.rows && !panel.rows.includes(v) ? null : panel.rows ? row + HIGH / 2 : endOf(variant, s, state.to);
      if (value !== null) rows.push({ y: place.y(value), name: variant.name, v,
        colour: `var(--v${v % 8})`, mine: v === state.chosen.v, run: panel.rows ? rowRun(variant, panel) : leader(variant, s),
        series: panel.rows ? panel.series : [s] });
    });
    // Where not all names fit, the chosen one's.
    if (rows.length * 17 > place.height) rows.splice(0, rows.length, ...rows.filter(row => row.mine));
    Labels.spread(rows, 17, 8, place.height - 10);
  } else {
    const run = chosenRun(data, state);
    const present = panel.series.filter(s => run[s.t].length);
    (panel.stack ? [...present].reverse() : present).forEach((s, i) => rows.push(
      { y: TOP + 9 + 18 * i, name: s.name, colour: `var(--${s.c})`, dashed: s.dashed, run, series: [s] }));
  }
  box.replaceChildren(...rows.map(row => {
    const item = document.createElement("span"), swatch = document.createElement("i"), name = document.createElement("span");
    const value = document.createElement("b");
    item.style.top = row.y + "px";
    item.style.setProperty("--c", row.colour);
    item.className = isAll(id) ? "end" + (row.mine ? " mine" : "") : "key";
    swatch.className = "swatch" + (row.v >= 8 || row.dashed ? " second" : "");
    name.textContent = row.name;
    name.className = "name";
    item.append(swatch, name, value);
    item.row = row;
    return item;
  }));
}

/** The peaks, or levels, at the left end of their lines, and the times to them. */
function words(id, place, box) {
  const times = [], peaks = [];
  data.variants.forEach((variant, v) => {
    if (!state.shown[v] || !spoken(data, v, state.chosen)) return;
    times.push(...timeLabel(id, place, variant, v));
    const { reference } = goal(variant, id);
    if (reference) peaks.push({ v, x: LEFT + 8, y: place.y(reference) - 10, text: id === "rate"
      ? "peak " + (variant.lowerBound ? "≥ " : "") + format(reference, 0) : "level " + format(reference, 1) + " ms" });
  });
  Labels.spread(peaks, 18, topOf(id) + 10, place.height - (id === "rate" ? 40 : 10));
  times.sort((a, b) => a.y - b.y);
  box.replaceChildren(...Labels.stack([...peaks, ...times], 18).map(label => {
    const element = document.createElement("span");
    element.textContent = label.text;
    element.className = (label.time ? "time" : "") + (label.right ? " right" : "");
    element.style.cssText = `left:${label.x}px;top:${label.y}px;--c:var(--v${label.v % 8})`;
    return element;
  }));
}

/** In pixels: a label behind so wide an interval would seem to belong to what is there. */
const WIDE_INTERVAL = 60;

/**
 * Beside the interval of the time to 90 %, or under its dot where the interval is a wide one; where it was not reached, over the end of
 * the warm-up.
 */
function timeLabel(id, place, variant, v) {
  const { t90, t90hi } = goal(variant, id);
  if (!t90) return [];
  const pixel = seconds => place.x(elapsed(seconds) + zeroOf(variant)), wide = place.width >= 640;
  const reached = variant.runs.map(run => goal(run, id)).filter(run => typeof run.t90 === "number")
    .sort((a, b) => a.t90 - b.t90).pop();
  const never = t90.startsWith(">") || !reached;
  const dot = never ? 0 : pixel(reached.t90), end = pixel(never ? late(variant) : Math.max(reached.t90, t90hi || 0));
  const apart = !never && end - dot > WIDE_INTERVAL, x = apart ? dot : end;
  if (x < LEFT || x > LEFT + state.width) return [];
  // T90 is to the highest peak of all, as in the table.
  const what = id !== "rate" ? "at its level " : variant.belowOther ? "90 % of its own peak " : "T90 ";
  const time = what + t90, of = (variant.lowerBound ? "≤ " : "") + variant.endShare + " % of its peak";
  // It stands before the end of the load: what is too long for that place would cover the scale.
  const fits = words => 8 * words.length + 8 <= x - LEFT;
  const text = !never ? time
    : [wide && variant.endShare ? time + ", at " + of : "", wide ? time : "", variant.endShare ? "at " + of : ""]
      .find(words => words && fits(words)) || "not reached";
  // Before the end of the load, unless that is a short one with more room behind it.
  const right = never && x > Math.min(8 * text.length + 8, LEFT + state.width / 2);
  return [{ v, time: true, right, x: right ? x - 8 : x + 10, text,
    y: never ? place.y(endOf(variant, PANELS[id].series[0], elapsed(late(variant)) + zeroOf(variant))) - 20
      : place.y(reached.level) + (apart ? 22 : 4) }];
}
