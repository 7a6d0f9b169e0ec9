// What each chart draws. Times are seconds since the first request.

const CHARTS = {
  rate: { t: "t", y: "rate", digits: 0, unit: " req/s", min: 0 },
  wait: { t: "jt", y: "wait", digits: 0, unit: " %", min: 0, atLeast: 100, area: true },
  cpu: { t: "jt", y: "cpu", digits: 0, unit: " %", min: 0, atLeast: 100, area: true },
  p99: { t: "t", y: "p99", digits: 1, unit: " ms", log: true },
  rss: { t: "mt", y: "rss", digits: 0, unit: " MiB", min: 0 },
};

const format = (value, digits) =>
  value.toLocaleString("en-US", { minimumFractionDigits: 0, maximumFractionDigits: digits });

/** Points of a run; a hole where two seconds are missing, so that no line is drawn across a pause. */
function points(run, spec) {
  const t = run[spec.t], y = run[spec.y], out = [];
  for (let i = 0; i < t.length; i++) {
    if (i && t[i] - t[i - 1] > 2.5) out.push([t[i - 1] + 0.5, null]);
    out.push([t[i], spec.log && !(y[i] > 0) ? null : y[i]]);
  }
  return out;
}

function horizon(data) {
  let from = 0, to = 1;
  for (const variant of data.variants) {
    for (const run of variant.runs) {
      for (const t of [run.t, run.jt, run.mt]) {
        if (!t.length) continue;
        from = Math.min(from, t[0]);
        to = Math.max(to, t[t.length - 1] + 1);
      }
    }
  }
  for (const phase of data.phases) to = Math.max(to, phase.end);
  return [Math.floor(from), Math.ceil(to)];
}

function phaseSeries(data, colours, from, named) {
  const start = from < -1 ? [{ name: named ? "start" : "", kind: "start", start: from, end: 0 }] : [];
  return {
    id: "phases", type: "line", data: [], silent: true, animation: false,
    markArea: {
      silent: true, animation: false,
      label: { show: named, position: "insideTop", distance: 6, color: colours.muted, fontSize: 12 },
      data: start.concat(data.phases).map(phase => [
        {
          name: phase.name, xAxis: phase.start,
          itemStyle: {
            color: phase.kind === "pause" ? colours.pause
              : phase.kind === "warm-up" ? "transparent" : colours.measure,
          },
        },
        { xAxis: phase.end },
      ]),
    },
  };
}

/** Where 90 % of the peak was reached: a point on each run's curve. */
function reachedPoints(variant, colour, colours) {
  const at = [];
  for (const run of variant.runs) {
    if (typeof run.t90 === "number" && typeof run.level === "number") at.push([run.t90, run.level]);
  }
  return {
    type: "scatter", data: at, silent: true, animation: false, z: 20, symbolSize: 11,
    itemStyle: { color: colour, borderColor: colours.bg, borderWidth: 2 },
    markLine: {
      silent: true, symbol: "none", animation: false, label: { show: false },
      lineStyle: { color: colour, width: 1, type: "solid", opacity: 0.6 },
      data: at.map(([x, y]) => [{ coord: [x, 0] }, { coord: [x, y] }]),
    },
  };
}

function variantSeries(data, id, spec, colours, shown) {
  const series = [];
  data.variants.forEach((variant, v) => {
    if (!shown[v]) return;
    const colour = colours.variants[v % 8], many = variant.runs.length > 1;
    variant.runs.forEach(run => series.push({
      type: "line", name: v + ":" + run.run, data: points(run, spec), showSymbol: false, silent: true, animation: false,
      sampling: run[spec.t].length > 3000 ? "lttb" : undefined, connectNulls: false, z: 10,
      lineStyle: { color: colour, width: many ? 1.2 : 2, opacity: many ? Math.max(0.35, 0.85 - variant.runs.length / 40) : 1,
        type: run.valid ? "solid" : "dotted", join: "round" },
      areaStyle: spec.area ? { color: colour, opacity: (many ? 0.12 : 0.16) / Math.sqrt(variant.runs.length) } : undefined,
      itemStyle: { color: colour },
    }));
    if (id === "rate" && variant.reference) {
      series.push({
        type: "line", data: [], silent: true, animation: false,
        markLine: {
          silent: true, symbol: "none", animation: false, label: { show: false },
          lineStyle: { color: colour, type: [6, 5], width: 1.2, opacity: 0.9 },
          data: [{ yAxis: variant.reference }],
        },
      });
    }
    if (id === "rate") series.push(reachedPoints(variant, colour, colours));
  });
  return series;
}

/** 1, 2 or 5 times a power of ten. */
function round125(value, up) {
  const decade = Math.pow(10, Math.floor(Math.log10(value))), steps = [1, 2, 5, 10].map(step => step * decade);
  return up ? steps.find(step => step >= value * 0.999) : steps.filter(step => step <= value * 1.001).pop();
}

function logRange(data, spec) {
  let min = Infinity, max = 0;
  for (const variant of data.variants) for (const run of variant.runs) for (const y of run[spec.y]) {
    if (y > 0) { min = Math.min(min, y); max = Math.max(max, y); }
  }
  return max ? { min: round125(min, false), max: round125(max, true) } : {};
}

/** The highest value drawn, so that reference peaks have room too. */
function top(data, id, spec) {
  let max = spec.atLeast || 0;
  for (const variant of data.variants) {
    if (id === "rate") max = Math.max(max, variant.reference || 0);
    for (const run of variant.runs) for (const y of run[spec.y]) max = Math.max(max, y || 0);
  }
  return max;
}

function option(data, id, colours, shown, wide, printing) {
  const spec = CHARTS[id], [from, to] = horizon(data), last = id === "p99" || id === "rss";
  const max = top(data, id, spec);
  return {
    animation: false,
    textStyle: { fontFamily: colours.font, color: colours.fg },
    grid: { left: 58, right: wide ? 150 : 14, top: id === "rate" ? 30 : 12, bottom: id === "rate" && !printing ? 66 : last ? 40 : 24,
      outerBoundsMode: "none" },
    tooltip: { trigger: "axis", showContent: false, axisPointer: { type: "line", snap: false, animation: false,
      lineStyle: { color: colours.muted, width: 1, type: "solid" }, label: { show: false } } },
    xAxis: {
      type: "value", min: from, max: to, axisLine: { onZero: false, lineStyle: { color: colours.rule } },
      axisTick: { lineStyle: { color: colours.rule } }, splitLine: { show: false }, splitNumber: wide ? 10 : 5,
      name: last ? "seconds since the first request" : "", nameLocation: "middle", nameGap: 26,
      nameTextStyle: { color: colours.muted, fontSize: 12 },
      axisLabel: { color: colours.muted, fontSize: 12, showMinLabel: false, showMaxLabel: false, hideOverlap: true,
        formatter: value => value + " s" },
    },
    yAxis: {
      type: spec.log ? "log" : "value", min: spec.log ? logRange(data, spec).min : 0, splitNumber: id === "rate" ? 5 : 3,
      max: spec.log ? logRange(data, spec).max : spec.atLeast && max <= 101 ? 100 : undefined,
      interval: spec.atLeast && max <= 101 ? 50 : undefined,
      axisLine: { show: false }, axisTick: { show: false }, splitLine: { lineStyle: { color: colours.grid } },
      axisLabel: { color: colours.muted, fontSize: 12, hideOverlap: true, formatter: value => format(value, 3) },
    },
    dataZoom: [
      { type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl", moveOnMouseMove: true, moveOnMouseWheel: false },
      { type: "slider", filterMode: "none", show: id === "rate" && !printing, height: 18, bottom: 8, brushSelect: false,
        showDataShadow: false, borderColor: colours.rule, backgroundColor: "transparent",
        fillerColor: colours.slider, handleStyle: { color: colours.bg, borderColor: colours.muted },
        moveHandleSize: 0, textStyle: { color: colours.muted, fontSize: 11 }, labelFormatter: value => Math.round(value) + " s" },
    ],
    series: [phaseSeries(data, colours, from, id === "rate"), ...variantSeries(data, id, spec, colours, shown)],
  };
}
