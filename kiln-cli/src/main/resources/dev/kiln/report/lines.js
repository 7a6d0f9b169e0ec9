// The lines of all variants, which may be many.

function lines(id, pen, place) {
  const box = figure(id).querySelector(".words"), s = PANELS[id].series[0];
  if (PANELS[id].rows) return rows(id, pen, place, box);
  data.variants.forEach((variant, v) => {
    if (state.shown[v] && v !== state.chosen.v) variantLines(pen, place, variant, v, s, id);
  });
  const { v } = state.chosen;
  if (state.shown[v]) variantLines(pen, place, data.variants[v], v, s, id);
  if (!isMarked(id)) return;
  words(id, place, box);
  if (id === "rate") {
    boostEnds(pen, place, box);
    whyLine(pen, place, box);
  }
}

/** Each variant in a row: its areas upon one another, and its own start shaded. */
function rows(id, pen, place, box) {
  const panel = PANELS[id], { scale, step } = axis(id), narrow = stack.classList.contains("narrow");
  box.replaceChildren();
  panel.rows.forEach((v, i) => {
    const bottom = panel.rows.length - 1 - i, y = value => place.y(bottom + HIGH * Math.min(1, value / scale));
    const areas = rowAreas(data.variants[v], panel), zero = place.x(0), start = Math.min(zero, place.x(areas[0].run[areas[0].t][0]));
    pen.fillStyle = palette.pause;
    if (state.shown[v]) pen.fillRect(start, y(scale), zero - start, y(0) - y(scale));
    pen.fillStyle = palette.rule;
    for (let at = 0; at <= scale; at += step) pen.fillRect(LEFT, Math.round(y(at)), 1e4, 1);
    if (!state.shown[v]) return;
    const row = { x: place.x, y, bottom: y(0) };
    for (const { t, y: column, c, run } of areas) {
      pen.fillStyle = palette[c];
      area(pen, row, run[t], run[column]);
    }
    if (narrow) tag(box, data.variants[v].name, LEFT + 4, y(scale) + 9);
  });
}

function variantLines(pen, place, variant, v, s, id) {
  const mine = v === state.chosen.v, many = variant.runs.length > 2, dashes = v < 8 ? [] : [7, 3];
  pen.strokeStyle = pen.fillStyle = palette.variants[v % 8];
  const marked = isMarked(id) && spoken(data, v, state.chosen);
  if (marked) shades(pen, place, variant, id);
  for (const run of variant.runs) {
    styled(pen, many ? 0.9 : 1.8, many ? (mine ? 0.4 : 0.22) : 1, run.valid ? dashes : [2, 3]);
    stroke(pen, place, run[s.t], run[s.y]);
  }
  if (many) {
    const { [s.t]: t, [s.y]: y } = leader(variant, s);
    styled(pen, mine ? 2.6 : 1.8, 1, dashes);
    stroke(pen, place, t, y);
  }
  if (marked) marks(pen, place, variant, id);
}

/** Seconds of load as seconds since the first request: pauses between loads are no load. */
function elapsed(seconds) {
  const loads = data.phases.filter(phase => phase.kind === "warm-up");
  let left = seconds;
  for (const { start, end } of loads.slice(0, -1)) {
    if (left <= end - start) return start + left;
    left -= end - start;
  }
  return (loads.length ? loads[loads.length - 1].start : 0) + left;
}

/** Where the first request of a run stands on the axis, or the median one of a variant's. */
const zeroOf = of => data.fromLaunch ? of.zero || 0 : 0;
/** The phases as they stand on the axis. */
const bands = data.phases.map(p => ({ ...p, start: p.start + zeroOf(data), end: p.end + zeroOf(data) }));

const late = variant => Math.max(0, ...variant.runs.map(run => run.horizon || 0));

/** What a variant or a run comes to in a panel, and when: the reference peak, or the level of its response times. */
const goal = (of, id) => (id === "rate" ? of : of.settled) || {};
const isMarked = id => id === "rate" || id === "p99";

/** The intervals of the reference peak, or of the level, and of the time to it. */
function shades(pen, place, variant, id) {
  const { reference, peakLo, peakHi, t90lo, t90hi } = goal(variant, id);
  pen.globalAlpha = 0.13;
  if (reference) {
    const top = place.y(peakHi);
    pen.fillRect(LEFT, top, 1e4, place.y(peakLo) - top);
  }
  if (typeof t90lo === "number") {
    const at = seconds => place.x(elapsed(seconds) + zeroOf(variant)), from = at(t90lo), to = at(t90hi ?? late(variant));
    pen.fillRect(from, topOf(id), Math.max(2, to - from), place.bottom - topOf(id));
  }
}

/** Dashes at the reference peak or the level, a dot where each run came to 90 % of it. */
function marks(pen, place, variant, id) {
  const { reference } = goal(variant, id);
  if (reference) {
    pen.lineWidth = 1.2;
    pen.globalAlpha = 0.9;
    pen.setLineDash([6, 5]);
    pen.beginPath();
    pen.moveTo(LEFT, place.y(reference));
    pen.lineTo(1e4, place.y(reference));
    pen.stroke();
  }
  pen.setLineDash([]);
  for (const run of variant.runs) {
    const { t90, level } = goal(run, id);
    if (typeof t90 !== "number" || typeof level !== "number") continue;
    const x = place.x(elapsed(t90) + zeroOf(run)), y = place.y(level);
    pen.globalAlpha = 0.5;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, place.bottom);
    pen.lineTo(x, y);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.beginPath();
    pen.arc(x, y, variant.runs.length > 2 ? 3.5 : 5, 0, 7);
    pen.fill();
  }
}

/** When the CPU limit of each run went down, named once for each variant. */
function boostEnds(pen, place, box) {
  data.variants.forEach((variant, v) => {
    const ends = variant.runs.map(run => run.boostEnd).filter(end => typeof end === "number");
    if (!state.shown[v] || !ends.length) return;
    pen.strokeStyle = palette.variants[v % 8];
    pen.globalAlpha = 0.8;
    pen.lineWidth = 1.4;
    pen.setLineDash([2, 3]);
    for (const end of ends) {
      pen.beginPath();
      pen.moveTo(place.x(end), topOf("rate"));
      pen.lineTo(place.x(end), place.bottom);
      pen.stroke();
    }
    pen.setLineDash([]);
    const first = Math.min(...ends);
    if (first < state.from || first > state.to) return;
    const before = place.x(first) > LEFT + state.width - 120;
    tag(box, "CPU boost ends", place.x(first) + (before ? -5 : 5), place.bottom - 14 - 14 * v, before);
  });
}

function tag(box, text, left, top, before) {
  const element = document.createElement("span");
  element.textContent = text;
  element.className = before ? "sum right" : "sum";
  element.style.cssText = `top:${top}px;left:${left}px`;
  box.append(element);
}

/** The sum whose least value is the time to 90 %, of the chosen run, on an axis of its own at the right. */
function whyLine(pen, place, box) {
  const run = chosenRun(data, state), sums = run.sums;
  if (!state.why || !sums || !state.shown[state.chosen.v]) return;
  // A long load at the peak would press the dip flat: as much is shown above zero as lies below it.
  const least = Math.min(...sums), highest = Math.max(...sums), most = least < 0 ? Math.min(highest, -least) : highest;
  const bottom = place.y(0) - 14, top = 60;
  const at = seconds => place.x(elapsed(seconds) + zeroOf(run));
  const x = i => at(i * run.sumsBin), y = sum => bottom - (sum - least) / (most - least || 1) * (bottom - top);
  pen.strokeStyle = pen.fillStyle = palette.fg;
  pen.globalAlpha = 0.8;
  pen.lineWidth = 1.4;
  pen.setLineDash([2, 3]);
  pen.save();
  pen.beginPath();
  pen.rect(LEFT, top, 1e4, bottom - top + 2);
  pen.clip();
  pen.beginPath();
  sums.forEach((sum, i) => i ? pen.lineTo(x(i), y(sum)) : pen.moveTo(x(i), y(sum)));
  pen.stroke();
  pen.restore();
  pen.setLineDash([]);
  const lowest = sums.indexOf(least), to = at(run.t90hi ?? run.horizon);
  const from = run.t90lo === null ? to : at(run.t90lo);
  pen.fillRect(from, bottom - 2, to - from, 4);
  pen.beginPath();
  pen.arc(x(lowest), y(least), 4, 0, 7);
  pen.fill();
  const axis = Math.min(x(sums.length - 1) + 4, LEFT + state.width - 50);
  pen.lineWidth = 1;
  for (const sum of new Set([most, 0, least])) {
    pen.fillRect(axis, y(sum), 5, 1);
    tag(box, format(sum * run.sumsBin, 1).replace("-", "\u2212") + " s", axis + 8, y(sum));
  }
  pen.fillRect(axis, top, 1, bottom - top);
  const never = lowest === sums.length - 1, before = never || to > LEFT + state.width - 120;
  if (x(lowest) > LEFT && x(lowest) <= LEFT + state.width) {
    tag(box, never ? "falls to the end: not reached" : "least here", before ? from - 9 : to + 9, bottom, before);
  }
}
