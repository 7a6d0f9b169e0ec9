// An experiment that runs, second by second, from the events of the server. Times are seconds since each run's first request.

const root = document.getElementById("live"), css = getComputedStyle(document.documentElement);
const colour = name => css.getPropertyValue("--" + name).trim();
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 }), fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
let plan = null, runs = [], over = "", dirty = true;

const blank = variant => ({ variant, phases: [], zero: null, rate: [], p99: [], c2: [], queue: [], levels: [], estimates: [] });
const current = () => runs[runs.length - 1];
const nameOf = run => run.variant + ", run " + run.run;
const at = (run, s) => s - (run.zero ?? s);

const handle = {
  plan(e) { plan = e; },
  run(e) { runs[e.n] = { ...blank(e.variant), run: e.run }; },
  phase(e) {
    const run = runs[e.n];
    run.phases.push(e);
    if (e.load && run.zero === null) run.zero = e.s;
  },
  second(e) {
    const run = runs[e.n];
    run.zero ??= e.s;
    run.phase = e.phase;
    run.rate.push([e.s, e.rate]);
    run.errors = (run.errors || 0) + e.errors;
  },
  latency(e) { runs[e.n].p99.push([e.s, e.p99]); },
  compilers(e) { runs[e.n].c2.push([e.s, e.cpu, e.wait]); },
  jit(e) {
    if (e.q2 !== undefined) runs[e.n].queue.push([e.s, e.q2]);
    if (e.levels) runs[e.n].levels.push([e.s, ...[...e.levels].reverse()]);
  },
  estimate(e) {
    const run = runs[e.n];
    if (e.words) run.estimates.push([run.rate.length ? run.rate[run.rate.length - 1][0] : 0, e]);
    run.forecast = e.forecast;
    run.cleared = e.cleared;
  },
  /** As the report has it; the times before are of the run alone. */
  reported(e) { runs[e.n].reported = e; },
  ended(e) { runs[e.n].outcome = e.outcome; runs[e.n].why = e.why; },
  over(e) { over = e.state; },
};

/** The server ends a stream now and then; the browser asks for the rest. */
const source = new EventSource(root.dataset.events);
for (const name of Object.keys(handle)) source.addEventListener(name, event => {
  const data = JSON.parse(event.data);
  if (name === "plan" || name === "over" || name === "run" || runs[data.n]) handle[name](data);
  if (name === "over") source.close();
  dirty = true;
});
let cut = false;
source.addEventListener("error", () => { cut = !over; dirty = true; });
source.addEventListener("open", () => { cut = false; dirty = true; });

const variantIndex = name => Math.max(0, (plan ? plan.variants : runs.map(run => run.variant)).indexOf(name));
const number = (value, digits) => value === undefined || value === null ? "–" : (digits ? fine : whole).format(value);
/** An interval as the report has it, on one line. */
const tied = words => words.replace(/(\d)-(?=\d)/, "$1\u2060\u2013\u2060");
const last = list => list.length ? list[list.length - 1] : [];

function headline() {
  const run = current();
  if (!run) return "waiting for the first run";
  const total = plan ? plan.variants.length * plan.runs : runs.length;
  if (over) return runs.length + " of " + total + " runs, " + over;
  const rate = last(run.rate)[1];
  return run.variant + ", run " + runs.length + " of " + total + ": " + (rate === undefined ? "starting" : number(rate) + " req/s");
}

function about() {
  const run = current();
  if (!run || over) return "";
  const phase = last(run.phases.map(p => [p]))[0], planned = phase && plan && plan.phases.find(p => p.name === phase.name);
  const seconds = phase && run.rate.length ? at(run, last(run.rate)[0]) - at(run, phase.s) : 0;
  const parts = [];
  if (phase) parts.push(phase.name + (planned && phase.load ? " " + number(seconds + 1) + " of " + number(planned.seconds) + " s" : ""));
  if (run.forecast) parts.push(run.forecast);
  if (cut) parts.push("the connection is cut; trying again");
  return parts.join(" · ");
}

function item(list, term, text) {
  const dt = document.createElement("dt"), dd = document.createElement("dd");
  dt.textContent = term;
  dd.textContent = text;
  list.push(dt, dd);
}

/** The time to the peak. Before the report, that of one variant of several is to its own peak, and the report's may be to a higher one. */
function timeOf(run) {
  const estimate = run.reported || last(run.estimates)[1];
  if (!estimate) return null;
  const own = plan && plan.variants.length > 1 ? "90 % of its own peak" : "T90";
  return { againstPeak: Boolean(run.reported) || estimate.againstPeak,
    words: tied(estimate.words) + (estimate.of ? ", to the peak of " + estimate.of : ""),
    term: run.reported ? "T90" : estimate.againstPeak ? own : "90 % of the level now" };
}

function numbers() {
  const run = current(), list = [];
  if (!run) return list;
  const [, cpu, wait] = last(run.c2);
  item(list, "throughput", number(last(run.rate)[1]) + " req/s");
  item(list, "p99", number(last(run.p99)[1], 1) + " ms");
  item(list, "errors", number(run.errors || 0));
  if (cpu !== undefined) item(list, "C2", number(cpu) + " % running, " + number(wait) + " % waiting");
  if (run.queue.length) item(list, "C2's queue", number(last(run.queue)[1]));
  if (run.cleared !== undefined) item(list, "C2's backlog cleared", "after " + number(run.cleared) + " s");
  const time = timeOf(run);
  if (time) item(list, time.term, time.words);
  return list;
}

function runList() {
  const items = runs.map(run => {
    const li = document.createElement("li"), swatch = document.createElement("span"), name = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.setProperty("--c", colour("v" + variantIndex(run.variant) % 8));
    const done = run.outcome === undefined ? (run === current() ? "running" : "") : run.outcome.toLowerCase().replace("_", " ");
    const time = timeOf(run);
    name.textContent = nameOf(run) + ": " + done + (run.why ? " (" + run.why + ")" : "")
      + (time && time.againstPeak ? ", " + time.term + " " + time.words : "");
    li.append(swatch, name);
    return li;
  });
  const left = plan && !over ? plan.variants.length * plan.runs - runs.length : 0;
  if (left > 0) {
    const li = document.createElement("li");
    li.className = "queued";
    const counts = plan.variants.map(name => [name, plan.runs - runs.filter(run => run.variant === name).length]).filter(([, n]) => n > 0);
    li.textContent = "queued: " + counts.map(([name, n]) => n + " of " + name).join(", ");
    items.push(li);
  }
  return items;
}

// Charts: the same time axis, as long as the longest run so far, or as planned.

const LEFT = 58, RIGHT = 14, TOP = 8, BOTTOM = 22;
function horizon() {
  const planned = plan ? plan.phases.reduce((sum, phase) => sum + phase.seconds, 0) : 0;
  const seen = runs.map(run => run.rate.length ? at(run, last(run.rate)[0]) + 1 : 0);
  return Math.max(10, planned, ...seen);
}

/** The launch of the present run: all charts begin there. */
function start() {
  const run = current(), first = run && run.zero !== null && run.c2.length ? at(run, run.c2[0][0]) : 0;
  return Math.min(0, first);
}

/** Series laid upon one another, the highest first, so that each covers what lies under it. */
function stacked(series) {
  const sums = [];
  return series.map(s => ({ ...s, points: s.points.map(([t, value], i) => [t, sums[i] = (sums[i] || 0) + (value || 0)]) })).reverse();
}

/** Lines are not drawn across seconds that are missing; under an area they end at the bottom. */
function trace(pen, s, { x, y, low, log, bottom }, area) {
  let from = null;
  const end = i => {
    if (area && from !== null) {
      pen.lineTo(x(s.points[i][0]), bottom);
      pen.lineTo(x(from), bottom);
    }
  };
  pen.beginPath();
  s.points.forEach(([t, value], i) => {
    const hole = i === 0 || t - s.points[i - 1][0] > (s.every || 1) * 2.5 || log && !(value > 0);
    if (hole) {
      if (i > 0) end(i - 1);
      from = t;
      pen.moveTo(x(t), y(Math.max(value, low || 0)));
    } else pen.lineTo(x(t), y(value));
  });
  if (s.points.length) end(s.points.length - 1);
  if (area) pen.fill(); else pen.stroke();
}

function axes(pen, { width, height, from, to, ticks, x, y }) {
  pen.fillStyle = colour("muted");
  pen.strokeStyle = colour("grid");
  pen.textAlign = "right";
  for (const tick of ticks) {
    pen.beginPath();
    pen.moveTo(LEFT, Math.round(y(tick)) + 0.5);
    pen.lineTo(width - RIGHT, Math.round(y(tick)) + 0.5);
    pen.stroke();
    pen.fillText(number(tick, tick < 1), LEFT - 8, y(tick) + 4);
  }
  pen.textAlign = "center";
  const seconds = [5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600].find(s => (to - from) / s < width / 70) || 7200;
  for (let t = Math.ceil(from / seconds) * seconds; t <= to; t += seconds) pen.fillText(t + " s", x(t), height - 4);
}

/** Steps of 1, 2 or 5 times a power of ten; of logarithms the powers. */
function ticksOf(low, high, log) {
  if (log) return [...Array(9).keys()].map(k => 10 ** (Math.floor(Math.log10(low)) + k)).filter(v => v >= low && v <= high * 1.2);
  const step = 10 ** Math.floor(Math.log10(high / 2)), by = high / step > 10 ? 5 * step : high / step > 4 ? 2 * step : step;
  return [...Array(8).keys()].map(k => k * by).filter(v => v <= high);
}

function keys(figure, series, of) {
  const parts = series.filter(s => s.key && s.points.length).map(s => {
    const span = document.createElement("small"), swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.setProperty("--c", s.colour);
    span.append(swatch, s.key);
    return span;
  });
  if (of && parts.length) {
    const whose = document.createElement("small");
    whose.textContent = "of " + of;
    parts.unshift(whose);
  }
  figure.querySelector(".keys").replaceChildren(...parts);
}

function chart(id, { series, log, bands, stack, atLeast, of }) {
  const figure = root.querySelector(`[data-chart="${id}"]`), canvas = figure.querySelector("canvas");
  figure.hidden = !series.some(s => s.points.length);
  if (figure.hidden) return;
  keys(figure, series, of);
  const width = canvas.clientWidth, height = canvas.clientHeight, sharp = devicePixelRatio || 1, pen = canvas.getContext("2d");
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  pen.scale(sharp, sharp);
  pen.font = "12px " + getComputedStyle(document.body).fontFamily;
  const shown = stack ? stacked(series) : series, to = horizon(), from = start(), bottom = height - BOTTOM;
  const values = shown.flatMap(s => s.points.map(p => p[1])).filter(v => v > 0);
  const high = values.length ? Math.max(atLeast || 0, Math.max(...values) * 1.08) : atLeast || 1, low = log && values.length ? Math.min(...values) / 1.2 : 0;
  const x = t => LEFT + (t - from) / (to - from) * (width - LEFT - RIGHT);
  const scale = value => log ? (Math.log(value) - Math.log(low)) / (Math.log(high * 1.2) - Math.log(low)) : value / high;
  const y = value => bottom - scale(value) * (bottom - TOP);
  axes(pen, { width, height, from, to, ticks: ticksOf(low, high, log), x, y });
  for (const band of bands || []) {
    pen.globalAlpha = 0.16;
    pen.fillStyle = band.colour;
    pen.fillRect(x(band.from), TOP, Math.max(2, x(band.to) - x(band.from)), bottom - TOP);
    pen.globalAlpha = 1;
  }
  for (const s of shown) {
    pen.strokeStyle = pen.fillStyle = s.colour;
    pen.globalAlpha = s.faint ? 0.4 : 1;
    pen.lineWidth = s.faint ? 1 : 2;
    pen.lineJoin = "round";
    trace(pen, s, { x, y, low, log, bottom }, stack);
    pen.globalAlpha = 1;
  }
}

/** All runs, the present one strong while there is one. */
const ofAll = column => ({ series: runs.map(run => ({
  points: run[column].map(([s, v]) => [at(run, s), v]), colour: colour("v" + variantIndex(run.variant) % 8), faint: !over && run !== current(),
  key: runs.findIndex(other => other.variant === run.variant) === runs.indexOf(run) ? run.variant : "" })) });

/** From the bottom up, as the report has them. */
const LEVELS = [{ key: "4, C2", colour: "c2" }, { key: "3, profiled", colour: "c1" }, { key: "2, counters", colour: "c1b" },
  { key: "1, no profile", colour: "c1c" }];

const ofCurrent = (column, keys, colours, every) => {
  const run = current();
  return { of: runs.length > 1 ? nameOf(run) : "", series: keys.map((key, i) => ({
    points: run ? run[column].map(row => [at(run, row[0]), row[i + 1]]) : [], colour: colour(colours[i]), key, every })) };
};

function draw() {
  dirty = false;
  document.getElementById("now").textContent = headline();
  document.getElementById("state").textContent = about();
  document.getElementById("moment").textContent = over ? "The last run" + (runs.length > 1 ? ": " + nameOf(current()) : "") : "Now";
  document.getElementById("numbers").replaceChildren(...numbers());
  document.getElementById("runs").replaceChildren(...runList());
  document.getElementById("report").hidden = !over;
  const run = current(), estimate = run && (run.reported || last(run.estimates)[1]);
  const band = estimate && typeof estimate.lo === "number"
    ? [{ from: estimate.lo, to: estimate.hi ?? horizon(), colour: colour("v" + variantIndex(run.variant) % 8) }] : [];
  chart("rate", { ...ofAll("rate"), bands: band });
  chart("p99", { ...ofAll("p99"), log: true });
  chart("c2", { ...ofCurrent("c2", ["running", "waiting"], ["c2", "wait"]), stack: true, atLeast: 100 });
  chart("queue", ofCurrent("queue", ["C2"], ["c2"], 3));
  chart("levels", { ...ofCurrent("levels", LEVELS.map(l => l.key), LEVELS.map(l => l.colour), 6), stack: true });
}

/** What comes in a burst is drawn once. */
const frame = () => {
  if (dirty) draw();
  requestAnimationFrame(frame);
};
addEventListener("resize", () => { dirty = true; });
frame();
