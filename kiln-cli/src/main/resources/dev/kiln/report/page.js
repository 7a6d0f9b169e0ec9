// The run looked into, its findings, and paper.

// Narrower than most windows: 182 mm at 96 pixels an inch.
const PAPER = 688;
const panels = Object.keys(PANELS).filter(id => figure(id));
const titles = Object.fromEntries(panels.map(id => [id, figure(id).querySelector("h3").firstChild.data.trim()]));
const explanation = () => document.querySelector(".explanation.chosen");

function choose(v, r) {
  const variant = data.variants[v];
  state.chosen = { v, r: Math.min(r, variant.runs.length - 1) };
  state.shown[v] = true;
  for (const button of document.querySelectorAll("[data-variant]")) button.setAttribute("aria-pressed", button.dataset.variant === String(v));
  for (const button of document.querySelectorAll("[data-run]")) {
    const run = variant.runs[button.dataset.run];
    button.hidden = !run;
    button.textContent = run ? run.run : "";
    button.title = run && !run.valid ? "invalid" : "";
    button.setAttribute("aria-pressed", button.dataset.run === String(state.chosen.r));
  }
  for (const article of document.querySelectorAll(".explanation")) {
    article.classList.toggle("chosen", article.dataset.of === v + ":" + state.chosen.r);
  }
  for (const sentence of document.querySelectorAll("figcaption [data-of]")) {
    const all = sentence.closest(".all") && data.variants.length <= 3;
    sentence.hidden = !all && sentence.dataset.of !== String(v);
  }
  for (const id of panels) {
    const there = isAll(id) || has(chosenRun(data, state), id);
    figure(id).hidden = !there;
    document.querySelector(`[data-absent="${id}"]`).hidden = there;
  }
  state.last = panels.filter(id => !figure(id).hidden).pop();
  pressed(null);
  mark = null;
  refresh();
}

function refresh() {
  showEyes();
  layRuler();
  redraw(false);
  showMark();
  read();
}

function showEyes() {
  for (const button of document.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", state.shown[button.dataset.show]);
}

function pressed(button) {
  for (const proof of document.querySelectorAll(".proof")) proof.setAttribute("aria-pressed", proof === button);
}

/** Marks the moment that proves a finding, and brings the panel that shows it into sight. */
function prove(button) {
  const off = button.getAttribute("aria-pressed") === "true";
  pressed(off ? null : button);
  if (off) return clear();
  markRange(Number(button.dataset.from), Number(button.dataset.to));
  const id = button.closest(".finding").dataset.shows;
  const target = figure(panels.includes(id) && !figure(id).hidden ? id : "rate"), box = target.getBoundingClientRect();
  if (box.top < 60 || box.bottom > innerHeight) target.scrollIntoView({ block: "center", behavior: "smooth" });
}

function clear() {
  pressed(null);
  mark = null;
  moveTo(null, false);
  zoom(...state.whole);
  showMark();
}

/** From finding to finding by key: those that held, first proof of each. */
function nextFinding(by) {
  const all = [...explanation().querySelectorAll(".finding.held")];
  if (!all.length) return;
  const now = all.findIndex(f => f.contains(document.activeElement) || f.querySelector('[aria-pressed="true"]'));
  const next = all[now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length];
  const proof = next.querySelector(".proof");
  (proof || next).focus();
  if (proof && proof.getAttribute("aria-pressed") !== "true") prove(proof);
}

document.getElementById("timeline").addEventListener("click", event => {
  const button = event.target.closest("button");
  const end = event.target.closest(".end");
  if (end) choose(end.row.v, state.chosen.r);
  if (!button) return;
  if (button.dataset.variant) choose(Number(button.dataset.variant), state.chosen.r);
  if (button.dataset.run) choose(state.chosen.v, Number(button.dataset.run));
  if (button.classList.contains("proof")) prove(button);
  if (button.id === "why") {
    state.why = !state.why;
    button.setAttribute("aria-pressed", state.why);
    document.getElementById("why-words").hidden = !state.why;
    refresh();
  }
  if (button.dataset.show) {
    state.shown[button.dataset.show] = !state.shown[button.dataset.show];
    refresh();
  }
});

/** The run with most to say: most findings held, valid ones first. */
function worst() {
  let best = { v: 0, r: 0 }, most = -1;
  data.variants.forEach((variant, v) => variant.runs.forEach((run, r) => {
    const score = (run.weight || 0) + (run.valid ? 1e-3 : 0);
    if (score > most) { most = score; best = { v, r }; }
  }));
  return best;
}

function layOut() {
  const width = state.printing ? PAPER : stack.clientWidth;
  state.right = width >= 640 ? 150 : 14;
  state.width = Math.max(100, width - LEFT - state.right);
  document.documentElement.style.setProperty("--right", state.right + "px");
  stack.classList.toggle("narrow", state.right < 100);
  for (const id of panels) {
    document.getElementById("chart-" + id).style.height = heightOf(id) + "px";
  }
  palette = colours();
}

let pending = 0, laid = "";
const sharpness = () => stack.clientWidth + " " + devicePixelRatio;
function resize() {
  if (!state.printing && sharpness() === laid) return;
  laid = sharpness();
  layOut();
  refresh();
}
function print(on) {
  state.printing = on;
  for (const details of document.querySelectorAll(".chosen details")) {
    if (on) { details.dataset.was = details.open; details.open = true; } else details.open = details.dataset.was === "true";
  }
  document.documentElement.classList.toggle("light", on);
  layOut();
  refresh();
}

for (const variant of data.variants) for (const run of variant.runs) {
  for (const panel of Object.values(PANELS)) for (const s of panel.series) { run[s.t] ||= []; run[s.y] ||= []; }
}
if (data.fromLaunch) {
  const times = [...new Set(Object.values(PANELS).flatMap(panel => panel.series.map(s => s.t)))];
  for (const variant of data.variants) for (const run of variant.runs) {
    for (const t of times) run[t] = run[t].map(second => second + run.zero);
    if (typeof run.boostEnd === "number") run.boostEnd += run.zero;
  }
}
state.shown = data.variants.map(() => true);
state.whole = horizon();
[state.from, state.to] = state.whole;
layOut();
laid = sharpness();
const first = worst();
near.add("rate");
choose(first.v, first.r);
for (const id of panels) sight.observe(figure(id));
performance.mark("drawn");

addEventListener("resize", () => { cancelAnimationFrame(pending); pending = requestAnimationFrame(resize); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { palette = colours(); refresh(); });
// Paper is white whatever the screen is.
addEventListener("beforeprint", () => print(true));
addEventListener("afterprint", () => print(false));
