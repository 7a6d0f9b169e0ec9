// Where a value stands in a panel, its axes, and the lines, areas and dots of the chosen run.

const heightOf = id => state.printing && id === "rate" ? 230 : PANELS[id].height;

/** From seconds and values to pixels. */
function placing(id) {
  const { min, max } = axis(id), { log } = PANELS[id], height = heightOf(id), top = topOf(id);
  const bottom = height - (isLabelled(id) ? AXIS : BOTTOM), level = log ? Math.log : value => value;
  const from = level(min), slope = (bottom - top) / (level(max) - from), scale = state.width / (state.to - state.from);
  return { width: LEFT + state.width + state.right, height, top, bottom, log,
    x: t => LEFT + (t - state.from) * scale, y: value => bottom - (level(value) - from) * slope };
}

function penOf(id, { width, height }) {
  const canvas = figure(id).querySelector("canvas"), sharp = state.printing ? 3 : devicePixelRatio || 1;
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  canvas.style.cssText = `width:${width}px;height:${height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  pen.lineJoin = "round";
  return pen;
}

/** Numbers are text, so that they can be read on paper as well. */
function axes(id, pen, place) {
  const numbers = [], number = (className, style, text) => {
    const element = document.createElement("span");
    element.className = className;
    element.style.cssText = style;
    element.textContent = text;
    numbers.push(element);
  };
  let last = Infinity;
  for (const { at, text } of axis(id).marks) {
    const y = place.y(at);
    pen.fillStyle = palette.grid;
    if (!PANELS[id].rows) pen.fillRect(LEFT, Math.round(y), state.width, 1);
    if (last - y < 12) continue;
    number("value", `top:${y}px`, text);
    last = y;
  }
  pen.fillStyle = palette.rule;
  pen.fillRect(LEFT, Math.round(place.bottom), state.width, 1);
  if (isLabelled(id)) for (const { t, text } of ticks()) {
    pen.fillRect(Math.round(place.x(t)), place.bottom, 1, 5);
    number("second", `left:${place.x(t)}px`, text);
  }
  document.getElementById("chart-" + id).replaceChildren(...numbers);
}

/** The first index whose second is not before that. */
function firstFrom(t, second) {
  let low = 0, high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] < second) low = middle + 1; else high = middle;
  }
  return low;
}

const holes = new WeakMap();
/** Seconds further apart than this are no neighbours: no line is drawn across a pause. */
function holeOf(t) {
  if (!holes.has(t)) {
    const steps = t.slice(1).map((second, i) => second - t[i]).sort((a, b) => a - b);
    holes.set(t, 2.5 * Math.max(1, steps[steps.length >> 1] || 1));
  }
  return holes.get(t);
}

/** From index to index where no sample is missing, of those in view and one on either side. */
function stretches(t, y, log) {
  const hole = holeOf(t), end = Math.min(t.length, firstFrom(t, state.to) + 1), found = [];
  let from = -1;
  for (let i = Math.max(0, firstFrom(t, state.from) - 1); i <= end; i++) {
    const there = i < end && y[i] !== null && !(log && y[i] <= 0);
    if (from >= 0 && (!there || t[i] - t[i - 1] > hole)) {
      found.push([from, i]);
      from = -1;
    }
    if (there && from < 0) from = i;
  }
  return found;
}

/** As steps, a value holds until the next one. */
function trace(pen, place, t, y, [from, to], steps) {
  for (let i = from; i < to; i++) {
    if (steps && i > from) pen.lineTo(place.x(t[i]), place.y(y[i - 1]));
    pen.lineTo(place.x(t[i]), place.y(y[i]));
  }
}

function stroke(pen, place, t, y, steps) {
  pen.beginPath();
  for (const stretch of stretches(t, y, place.log)) {
    pen.moveTo(place.x(t[stretch[0]]), place.y(y[stretch[0]]));
    trace(pen, place, t, y, stretch, steps);
  }
  pen.stroke();
}

function area(pen, place, t, y, steps) {
  for (const stretch of stretches(t, y, place.log)) {
    pen.beginPath();
    pen.moveTo(place.x(t[stretch[0]]), place.bottom);
    trace(pen, place, t, y, stretch, steps);
    pen.lineTo(place.x(t[stretch[1] - 1]), place.bottom);
    pen.fill();
  }
}

function dots(pen, place, t, y, large) {
  for (let i = 0; i < t.length; i++) {
    if (!(y[i] > 0)) continue;
    pen.beginPath();
    pen.arc(place.x(t[i]), place.y(y[i]), y[i] >= large ? 4.5 : 1.75, 0, 7);
    pen.fill();
  }
}

function styled(pen, width, alpha, dashes) {
  pen.lineWidth = width;
  pen.globalAlpha = alpha;
  pen.setLineDash(dashes);
}

function runLines(run, panel, pen, place) {
  const there = panel.series.filter(s => run[s.t].length);
  for (const s of panel.stack && there.length ? stacked(run, there) : there) {
    const of = s.run || run, t = of[s.t], y = of[s.y];
    pen.strokeStyle = pen.fillStyle = palette[s.c];
    styled(pen, panel.stack ? 0.5 : 1.4, panel.stack ? 1 : panel.dots ? 0.9 : 0.22, s.dashed ? [7, 3] : []);
    if (panel.dots) { dots(pen, place, t, y, LONG_MILLIS); continue; }
    if (panel.stack || panel.area || panel.steps) area(pen, place, t, y, panel.steps);
    pen.globalAlpha = 1;
    stroke(pen, place, t, y, panel.steps);
    if (panel.dotted) dots(pen, place, t, y, Infinity);
  }
}
