// What each panel draws. Times are seconds since the first request.

/** A line for each call of a mix; from the ninth on colours come again, dashed. */
const callLines = y => data.calls.map((name, i) => ({ t: "at" + i, y: y + i, name, c: "v" + i % 8, dashed: i >= 8 }));
const callHeight = Math.max(150, 18 * data.calls.length + 20);

/** Variants that have these: each has a row, higher where they are few, and its areas this much of the row. */
const HIGH = 0.84;
function rowPanel(t, columns, more) {
  const rows = data.variants.map((_, v) => v).filter(v => data.variants[v].runs.some(run => run[t]));
  const height = Math.max(56, Math.min(100, Math.round(336 / rows.length)));
  return { height: height * rows.length + 16, digits: 0, unit: "%", rows, series: columns.map(of => ({ t, ...of })), ...more };
}

const PANELS = {
  rate: { height: 300, digits: 0, unit: "req/s", all: true, series: [{ t: "t", y: "rate" }] },
  budget: rowPanel("bt", data.parts, { digits: 1, unit: "ms", sum: true }),
  c2all: rowPanel("jt", [{ y: "cpu", c: "c2", name: "running" }, { y: "wait", c: "wait", name: "waiting" }]),
  cpuall: rowPanel("st", [{ y: "su", c: "plain", name: "user" }, { y: "ss", c: "native", name: "system" }]),
  yield: { height: 150, digits: 0, unit: "req/CPU-s", all: true, series: [{ t: "ut", y: "uy" }] },
  p99: { height: 150, digits: 1, unit: "ms", all: true, log: true, series: [{ t: "t", y: "p99" }] },
  times: { height: 150, digits: 1, unit: "ms", log: true, series: [
    { t: "pt", y: "p999", name: "p99.9", c: "wait" }, { t: "t", y: "p99", name: "p99", c: "c2" },
    { t: "pt", y: "p95", name: "p95", c: "c1" }, { t: "pt", y: "p50", name: "p50", c: "plain" }] },
  errors: { height: 90, digits: 0, unit: "", all: true, series: [{ t: "t", y: "err" }] },
  calls: { height: callHeight, digits: 0, unit: "req/s", series: callLines("ar") },
  calls99: { height: callHeight, digits: 1, unit: "ms", log: true, series: callLines("ap") },
  c2: { height: 130, digits: 0, unit: "%", stack: true, atLeast: 100, series: [
    { t: "jt", y: "cpu", name: "running", c: "c2" }, { t: "jt", y: "wait", name: "waiting", c: "wait" }] },
  forecast: { height: 110, digits: 0, unit: "s", dotted: true, series: [{ t: "ft", y: "fl", name: "not before", c: "wait" }] },
  queue: { height: 120, digits: 0, unit: "", area: true, series: [
    { t: "qt", y: "q2", name: "C2", c: "c2" }, { t: "qt", y: "q1", name: "C1", c: "c1" }] },
  compiles: { height: 90, digits: 0, unit: "", steps: true, series: [{ t: "kt", y: "kc", name: "all levels", c: "plain" }] },
  levels: { height: 130, digits: 0, unit: "", stack: true, series: [
    { t: "lt", y: "l4", name: "4, C2", c: "c2" }, { t: "lt", y: "l3", name: "3, profiled", c: "c1" },
    { t: "lt", y: "l2", name: "2, counters", c: "c1b" }, { t: "lt", y: "l1", name: "1, no profile", c: "c1c" }] },
  tiers: { height: 130, digits: 0, unit: "%", stack: true, atLeast: 100, series: [
    { t: "tt", y: "t2", name: "C2", c: "c2" }, { t: "tt", y: "tn", name: "C2, inlined", c: "c2b" },
    { t: "tt", y: "t1", name: "C1", c: "c1" }, { t: "tt", y: "ti", name: "interpreter", c: "plain" },
    { t: "tt", y: "tx", name: "native", c: "native" }] },
  compiled: { height: 120, digits: 0, unit: "ms", log: true, dots: true, series: [
    { t: "m4t", y: "m4", name: "level 4, C2", c: "c2" }, { t: "m3t", y: "m3", name: "level 3", c: "c1" },
    { t: "m2t", y: "m2", name: "level 2", c: "c1b" }, { t: "m1t", y: "m1", name: "level 1", c: "c1c" }] },
  deopt: { height: 90, digits: 0, unit: "", steps: true, series: [{ t: "dt", y: "de", name: "all reasons", c: "native" }] },
  stops: { height: 100, digits: 1, unit: "ms", steps: true, series: [
    { t: "gt", y: "gc", name: "collector", c: "native" }, { t: "ht", y: "th", name: "throttled", c: "wait" }] },
  code: { height: 90, digits: 1, unit: "MB", area: true, series: [{ t: "kt", y: "kb", name: "produced", c: "plain" }] },
  cache: { height: 90, digits: 0, unit: "%", area: true, atLeast: 100, series: [{ t: "ct", y: "cc", name: "full", c: "plain" }] },
  rss: { height: 100, digits: 0, unit: "MiB", area: true, series: [{ t: "mt", y: "rss", name: "resident", c: "plain" }] },
};
// A compilation this long is no normal one: its thread was kept from the CPU.
const LONG_MILLIS = 1000;
const LEFT = 58, TOP = 8, BOTTOM = 8, AXIS = 24;
/** Throughput has the phases' names over it. */
const topOf = id => id === "rate" ? 26 : TOP;

const formats = [0, 1, 2, 3].map(digits => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits }));
const format = (value, digits) => formats[digits].format(value);
const has = (run, id) => PANELS[id].series.some(s => run[s.t].length);

/** Median of the runs in each second; a second that fewer than half of them have is a hole. */
function medians(runs, s) {
  const bins = new Map();
  for (const run of runs) run[s.t].forEach((t, i) => {
    const y = run[s.y][i], second = Math.round(t);
    if (y === null) return;
    if (!bins.has(second)) bins.set(second, []);
    bins.get(second).push(y);
  });
  const t = [], y = [];
  for (const second of [...bins.keys()].sort((a, b) => a - b)) {
    const of = bins.get(second).sort((a, b) => a - b), middle = of.length >> 1;
    if (2 * of.length < runs.length) continue;
    t.push(second);
    y.push(of.length % 2 ? of[middle] : (of[middle - 1] + of[middle]) / 2);
  }
  return { [s.t]: t, [s.y]: y };
}

/** What stands for a variant: its median where there are runs enough for one. */
function leader(variant, s) {
  variant.leaders = variant.leaders || {};
  return variant.leaders[s.y] ||= variant.runs.length > 2 ? medians(variant.runs, s) : variant.runs[variant.runs.length - 1];
}

/** What a variant's row shows: the median of its valid runs if there are three or more, else the first of them. */
function rowRun(variant, { series }) {
  const { t } = series[0], made = variant.made ||= {};
  if (made[t]) return made[t];
  const seen = variant.runs.filter(run => run[t].length), valid = seen.filter(run => run.valid), of = valid.length ? valid : seen;
  return made[t] = of.length < 3 ? of[0] : Object.assign({}, ...series.map(s => medians(of, s)));
}

/** The areas of a row, the highest first. */
const rowAreas = (variant, panel) => stacked(rowRun(variant, panel), panel.series);

/**
 * One scale for all rows, and the step between its lines. A wait is credited when it ends, so that a second of C2 may show that
 * of many: two seconds in a hundred may reach beyond the scale. Of response times those of a cold start are cut.
 */
function rowScale(panel) {
  const sums = panel.rows.map(v => {
    const [{ y, run }] = rowAreas(data.variants[v], panel);
    return [...run[y]].sort((a, b) => a - b);
  });
  const most = part => Math.max(...sums.map(of => of[Math.floor(part * (of.length - 1))]));
  if (panel.unit === "%") {
    const scale = 100 * Math.max(1, Math.ceil(most(0.98) / 105));
    return { scale, step: scale > 500 ? scale : 100, levels: [...new Set([100, scale])] };
  }
  const highest = Math.min(most(1), 2 * most(0.5)) || 1, step = round125(highest / 4, true), steps = Math.ceil(highest / step);
  return { scale: step * steps, step, levels: Array.from({ length: steps }, (_, i) => step * (i + 1)) };
}

/** With many variants only the chosen one has its marks and words in the picture. */
const spoken = (data, v, chosen) => data.variants.length <= 3 || v === chosen.v;

/** Columns laid upon one another: the highest first, so that each covers what lies under it. */
function stacked(run, series) {
  const sums = run[series[0].t].map(() => 0);
  return series.map(s => ({ s, y: sums.map((sum, i) => sums[i] = sum + (run[s.y][i] || 0)) }))
    .map(({ s, y }) => ({ ...s, run: { [s.t]: run[s.t], [s.y]: y } })).reverse();
}

/** 1, 2 or 5 times a power of ten. */
function round125(value, up) {
  const decade = Math.pow(10, Math.floor(Math.log10(value))), steps = [1, 2, 5, 10].map(step => step * decade);
  return up ? steps.find(step => step >= value * 0.999) : steps.filter(step => step <= value * 1.001).pop();
}

/** The least value above zero and the highest one, over all runs, so that the scale stays when another run is chosen. */
function extent(id) {
  const panel = PANELS[id];
  let min = Infinity, max = panel.atLeast || 0;
  for (const variant of data.variants) {
    if (id === "rate") max = Math.max(max, variant.reference || 0);
    for (const run of variant.runs) {
      const columns = panel.series.map(s => run[s.y]).filter(y => y.length);
      for (const y of columns) for (const value of y) if (value > 0) { min = Math.min(min, value); max = Math.max(max, value); }
      if (panel.stack && columns.length) columns[0].forEach((_, i) => {
        max = Math.max(max, columns.reduce((sum, y) => sum + (y[i] || 0), 0));
      });
    }
  }
  return { min, max };
}

/** The axis of values: its ends, and the values that have a number. */
function axis(id) {
  const panel = PANELS[id];
  return panel.axis ||= panel.rows ? rowAxis(panel) : panel.log ? logAxis(extent(id)) : linearAxis(id, extent(id).max);
}

/** Of each row its 100 % and its highest value; of times each step. */
function rowAxis(panel) {
  const { scale, step, levels } = rowScale(panel);
  const marks = panel.rows.flatMap((_, i) => levels.map(level => ({ at: i + HIGH * level / scale, text: format(level, 3) })));
  return { min: 0, max: panel.rows.length, scale, step, marks };
}

/** Powers of ten where there are two or more. */
function logAxis(found) {
  const max = round125(found.max || 1, true), low = round125(found.max ? found.min : 0.1, false), min = low < max ? low : max / 10;
  const values = [], isPower = value => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
  for (let value = min; value <= max * 1.001; value = round125(value * 1.9, true)) values.push(value);
  return { min, max, marks: marked(values.filter(isPower).length > 1 ? values.filter(isPower) : values) };
}

function linearAxis(id, found) {
  const panel = PANELS[id], percent = panel.atLeast && found <= 130, highest = found || 1;
  const parts = !isAll(id) ? 2.5 : panel.height > 200 ? 8 : 4;
  const step = percent ? 50 : round125((isAll(id) ? Math.max(highest, 1) : highest) / parts, true);
  const max = !percent ? Math.ceil(highest / step) * step : found <= 101 ? 100 : Math.ceil(found);
  return { min: 0, max, marks: marked(Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, i) => i * step)) };
}

const marked = values => values.map(at => ({ at, text: format(at, 3) }));

const chosenRun = (data, state) => data.variants[state.chosen.v].runs[state.chosen.r];
