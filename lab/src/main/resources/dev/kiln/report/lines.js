// The lines of all variants, which may be many: drawn by hand, for that is fast.

function lines(id, chart) {
  const plot = figure(id).querySelector(".plot"), canvas = plot.querySelector("canvas"), s = PANELS[id].series[0];
  const sharp = state.printing ? 3 : devicePixelRatio || 1, width = chart.getWidth(), height = chart.getHeight();
  canvas.width = width * sharp;
  canvas.height = height * sharp;
  canvas.style.cssText = `width:${width}px;height:${height}px`;
  const pen = canvas.getContext("2d"), place = placing(id, chart);
  pen.scale(sharp, sharp);
  pen.beginPath();
  pen.rect(LEFT, 0, width - LEFT - state.right, height);
  pen.clip();
  pen.lineJoin = "round";
  data.variants.forEach((variant, v) => {
    if (state.shown[v] && v !== state.chosen.v) variantLines(pen, place, variant, v, s, id);
  });
  const { v } = state.chosen;
  if (state.shown[v]) variantLines(pen, place, data.variants[v], v, s, id);
  if (id === "rate") words(chart, plot.querySelector(".words"));
}

/** From seconds and values to pixels. */
function placing(id, chart) {
  const { min, max } = range(data, id), log = PANELS[id].log, width = chart.getWidth() - LEFT - state.right;
  const [low, high] = [min, max || 1].map(value => chart.convertToPixel({ yAxisIndex: 0 }, value));
  const from = log ? Math.log(min) : min, slope = (high - low) / ((log ? Math.log(max) : max || 1) - from || 1);
  const scale = width / (state.to - state.from);
  return {
    x: t => LEFT + (t - state.from) * scale,
    y: log ? value => low + (Math.log(value) - from) * slope : value => low + (value - from) * slope,
    log,
  };
}

function stroke(pen, place, run, s, width, alpha, dashes) {
  const t = run[s.t], y = run[s.y];
  let down = false;
  pen.lineWidth = width;
  pen.globalAlpha = alpha;
  pen.setLineDash(dashes);
  pen.beginPath();
  for (let i = 0; i < t.length; i++) {
    if (t[i] < state.from - 3 || t[i] > state.to + 3) continue;
    // A hole where seconds are missing: no line is drawn across a pause.
    if (y[i] === null || (place.log && y[i] <= 0)) { down = false; continue; }
    if (i && t[i] - t[i - 1] > 2.5) down = false;
    if (down) pen.lineTo(place.x(t[i]), place.y(y[i])); else pen.moveTo(place.x(t[i]), place.y(y[i]));
    down = true;
  }
  pen.stroke();
}

function variantLines(pen, place, variant, v, s, id) {
  const mine = v === state.chosen.v, many = variant.runs.length > 2, dashes = v < 8 ? [] : [7, 3];
  pen.strokeStyle = pen.fillStyle = palette.variants[v % 8];
  for (const run of variant.runs) {
    stroke(pen, place, run, s, many ? 0.9 : 1.8, many ? (mine ? 0.4 : 0.22) : 1, run.valid ? dashes : [2, 3]);
  }
  if (many) stroke(pen, place, leader(variant, s), s, mine ? 2.6 : 1.8, 1, dashes);
  if (id === "rate" && spoken(data, v, state.chosen)) marks(pen, place, variant);
}

/** Dashes at the reference peak, a dot where each run reached 90 % of it. */
function marks(pen, place, variant) {
  if (variant.reference) {
    pen.lineWidth = 1.2;
    pen.globalAlpha = 0.9;
    pen.setLineDash([6, 5]);
    pen.beginPath();
    pen.moveTo(LEFT, place.y(variant.reference));
    pen.lineTo(1e4, place.y(variant.reference));
    pen.stroke();
  }
  pen.setLineDash([]);
  for (const run of variant.runs) {
    if (typeof run.t90 !== "number" || typeof run.level !== "number") continue;
    const x = place.x(run.t90), y = place.y(run.level);
    pen.globalAlpha = 0.5;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x, place.y(0));
    pen.lineTo(x, y);
    pen.stroke();
    pen.globalAlpha = 1;
    pen.beginPath();
    pen.arc(x, y, variant.runs.length > 2 ? 3.5 : 5, 0, 7);
    pen.fill();
  }
}
