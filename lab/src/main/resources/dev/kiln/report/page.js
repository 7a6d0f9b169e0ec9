// Draws the charts, keeps their cursors and zooms together, and answers buttons and keys.

const data = JSON.parse(document.getElementById("data").textContent);
const shown = data.variants.map(() => true);
const charts = new Map();
// Narrower than most windows: 182 mm at 96 pixels an inch.
const PAPER = 688;
const at = document.getElementById("at"), reset = document.getElementById("reset");
let cursor = null, printing = false;

function colours() {
  const css = getComputedStyle(document.documentElement), get = name => css.getPropertyValue("--" + name).trim();
  return {
    bg: get("bg"), fg: get("fg"), muted: get("muted"), rule: get("rule"), grid: get("grid"), pause: get("pause"),
    measure: get("measure"), slider: get("pause") + "99", font: getComputedStyle(document.body).fontFamily,
    variants: [0, 1, 2, 3, 4, 5, 6, 7].map(i => get("v" + i)),
  };
}

const isWide = chart => chart.getWidth() >= 640;

function draw() {
  const c = colours();
  for (const [id, chart] of charts) {
    const zoom = chart.getOption() && chart.getOption().dataZoom;
    const next = option(data, id, c, shown, isWide(chart), printing);
    if (zoom) next.dataZoom.forEach((z, i) => { z.start = zoom[i].start; z.end = zoom[i].end; });
    chart.setOption(next, { notMerge: true });
    annotate(id, chart, c);
  }
  read(cursor);
}

/** Mean of the runs' last values within view: where a variant's line ends. */
function endOf(variant, spec, to) {
  let sum = 0, n = 0;
  for (const run of variant.runs) {
    const t = run[spec.t], y = run[spec.y];
    for (let i = t.length - 1; i >= 0; i--) {
      if (t[i] <= to && y[i] !== null) { sum += y[i]; n++; break; }
    }
  }
  return n ? sum / n : null;
}

function annotate(id, chart, c) {
  const spec = CHARTS[id], wide = isWide(chart), right = chart.getWidth() - (wide ? 150 : 14);
  const view = chart.getModel().getComponent("xAxis", 0).axis.scale.getExtent();
  const y = value => chart.convertToPixel({ yAxisIndex: 0 }, value);
  const bottom = chart.getHeight() - (id === "rate" && !printing ? 66 : 24), elements = [], ends = [];
  data.variants.forEach((variant, v) => {
    const value = shown[v] ? endOf(variant, spec, view[1]) : null;
    if (value !== null) ends.push({ v, y: y(value), name: variant.name });
  });
  if (wide) {
    for (const end of Labels.spread(ends, 17, 20, bottom - 6)) {
      elements.push(Labels.text("end" + end.v, right + 10, end.y, Labels.shorten(end.name, 19), c.variants[end.v % 8], c.bg,
        { fontWeight: 600 }));
    }
  }
  if (id === "rate") elements.push(...peaks(chart, c, view, y, wide));
  chart.setOption({ graphic: { elements } }, { replaceMerge: ["graphic"] });
}

/** The reference peaks at the left end of their lines, and the times to 90 % of peak. */
function peaks(chart, c, view, y, wide) {
  const times = [], lines = [];
  data.variants.forEach((variant, v) => {
    if (!shown[v]) return;
    times.push(...timeLabel(chart, c, variant, v, y, wide));
    if (!variant.reference) return;
    lines.push({ v, y: y(variant.reference) - 10, text: (chart.getWidth() >= 900 ? "reference peak " : "peak ")
      + (variant.lowerBound ? "≥ " : "") + format(variant.reference, 0) });
  });
  const out = Labels.stack(times, 18);
  for (const line of Labels.spread(lines, 16, 36, chart.getHeight() - 80)) {
    out.push(Labels.text("peak" + line.v, 66, line.y, line.text, c.variants[line.v % 8], c.bg));
  }
  return out;
}

/** Beside the last run to reach 90 %; where none did, over the end of the warm-up. */
function timeLabel(chart, c, variant, v, y, wide) {
  const reached = variant.runs.filter(run => typeof run.t90 === "number" && typeof run.level === "number");
  const late = Math.max(0, ...variant.runs.map(run => run.horizon || 0));
  if (!late || variant.t90 === "–") return [];
  const never = variant.t90.startsWith(">") || !reached.length;
  const last = reached.sort((a, b) => a.t90 - b.t90)[reached.length - 1];
  const x = chart.convertToPixel({ xAxisIndex: 0 }, never ? late : last.t90);
  if (x < 58 || x > chart.getWidth() - 14) return [];
  const time = "T90 " + variant.t90 + (/\d/.test(variant.t90) ? " s" : "");
  const text = never && wide && variant.endShare
    ? time + ", at " + (variant.lowerBound ? "≤ " : "") + variant.endShare + " % of its peak" : time;
  return [Labels.text("t90" + v, never ? x - 8 : x + 12, never ? y(endOf(variant, CHARTS.rate, late)) - 20 : y(last.level) + 4,
    text, c.variants[v % 8], c.bg, { fontWeight: 700, fontSize: 15, align: never ? "right" : "left" })];
}

function nearest(t, time) {
  let best = -1;
  for (let i = 0; i < t.length; i++) if (best < 0 || Math.abs(t[i] - time) < Math.abs(t[best] - time)) best = i;
  return best >= 0 && Math.abs(t[best] - time) <= 1.5 ? best : -1;
}

function read(time) {
  cursor = time;
  if (at) at.textContent = time === null ? "" : "at " + format(time, 0) + " s";
  for (const element of document.querySelectorAll(".readout")) {
    const spec = CHARTS[element.dataset.chart], parts = [];
    data.variants.forEach((variant, v) => {
      if (!shown[v] || time === null) return;
      const values = [];
      for (const run of variant.runs) {
        const i = nearest(run[spec.t], time);
        if (i >= 0 && run[spec.y][i] !== null) values.push(run[spec.y][i]);
      }
      if (!values.length) return;
      const low = format(Math.min(...values), spec.digits), high = format(Math.max(...values), spec.digits);
      const span = document.createElement("span"), swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.setProperty("--c", "var(--v" + v % 8 + ")");
      span.append(swatch, (low === high ? low : low + "–" + high) + spec.unit);
      parts.push(span);
    });
    element.replaceChildren(...parts);
  }
}

function point(chart, time) {
  const x = chart.convertToPixel({ xAxisIndex: 0 }, time);
  chart.dispatchAction({ type: "showTip", x, y: chart.getHeight() / 2 });
}

function zoom(start, end) {
  for (const chart of charts.values()) {
    chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, start, end }, { silent: false });
  }
}

function keys(chart, event) {
  const [from, to] = chart.getModel().getComponent("xAxis", 0).axis.scale.getExtent();
  const z = chart.getOption().dataZoom[0], width = z.end - z.start, middle = (z.start + z.end) / 2;
  const step = event.shiftKey ? 10 : 1;
  const actions = {
    ArrowLeft: () => point(chart, Math.max(from, (cursor === null ? to : cursor) - step)),
    ArrowRight: () => point(chart, Math.min(to, (cursor === null ? from : cursor) + step)),
    "+": () => zoom(middle - width / 4, middle + width / 4),
    "-": () => zoom(Math.max(0, middle - width), Math.min(100, middle + width)),
    "0": () => zoom(0, 100),
  };
  if (!actions[event.key] || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  actions[event.key]();
}

function wire(id, chart, element) {
  chart.on("updateAxisPointer", event => {
    const info = (event.axesInfo || []).find(axis => axis.axisDim === "x");
    if (info) read(Math.round(info.value));
  });
  chart.on("datazoom", () => {
    const z = chart.getOption().dataZoom[0];
    if (reset) reset.hidden = z.start <= 0.01 && z.end >= 99.99;
    annotate(id, chart, colours());
  });
  chart.on("globalout", () => read(null));
  element.addEventListener("keydown", event => keys(chart, event));
}

for (const id of Object.keys(CHARTS)) {
  const element = document.getElementById("chart-" + id);
  if (!element) continue;
  const chart = echarts.init(element, null, { renderer: "svg" });
  chart.group = "kiln";
  charts.set(id, chart);
  wire(id, chart, element);
}
draw();
echarts.connect("kiln");

for (const button of document.querySelectorAll("button[data-variant]")) {
  button.addEventListener("click", () => {
    const v = Number(button.dataset.variant);
    shown[v] = !shown[v];
    button.setAttribute("aria-pressed", String(shown[v]));
    draw();
  });
}
if (reset) reset.addEventListener("click", () => zoom(0, 100));

let pending = 0;
function resize() {
  for (const [id, chart] of charts) {
    chart.resize(printing ? { width: PAPER, height: id === "rate" ? 240 : "auto" } : { width: "auto", height: "auto" });
  }
  draw();
}
function print(on) {
  printing = on;
  document.documentElement.classList.toggle("light", on);
  resize();
}
addEventListener("resize", () => { cancelAnimationFrame(pending); pending = requestAnimationFrame(resize); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
// Paper is white whatever the screen is.
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
