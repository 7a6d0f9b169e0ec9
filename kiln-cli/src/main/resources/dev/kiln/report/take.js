// What a reader takes along: the points of a picture as CSV, and the picture itself as PNG. Both are made here, of what the page has.

/** A cell that a spreadsheet would take for a formula is text. */
function quoted(cell) {
  const text = typeof cell === "string" && /^[=+\-@\t\r]/.test(cell) ? "'" + cell : String(cell ?? "");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
const csvOf = (heads, rows) => [heads, ...rows].map(row => row.map(quoted).join(",") + "\r\n").join("");

const allRuns = rowsOf => data.variants.flatMap(variant => variant.runs.flatMap(run => rowsOf(run).map(row => [variant.name, run.run, ...row])));
const SECOND = data.fromLaunch ? "seconds since the launch" : "seconds since the first request";

/** The columns of a panel side by side: a row for each second that any of them has. */
function panelCsv(id) {
  const { series, unit } = PANELS[id], more = unit ? ", " + unit : "";
  return csvOf(["variant", "run", SECOND, ...series.map(s => (s.name || titles[id]) + more)], allRuns(run => {
    const seconds = new Map();
    series.forEach((s, column) => run[s.t].forEach((t, i) => {
      if (!seconds.has(t)) seconds.set(t, [t, ...series.map(() => null)]);
      seconds.get(t)[column + 1] = run[s.y][i];
    }));
    return [...seconds.values()].sort((a, b) => a[0] - b[0]);
  }));
}

/** The begin of a step of response times, in ms; steps are numbered as in the file's data. */
const stepMillis = step => Number((10 ** (step / 10) / 1000).toPrecision(4));

const FIGURES = {
  seconds: () => csvOf(["variant", "run", SECOND, "req/s"], allRuns(run => run.t.map((t, i) => [t, run.rate[i]])
    .filter(([t]) => t >= run.steadyFrom + zeroOf(run) - 1e-6 && t <= run.steadyTo + zeroOf(run) + 1e-6))),
  requests: () => csvOf(["variant", "run", "from ms", "below ms", "requests"], allRuns(run => (run.counts || [])
    .map((count, i) => [stepMillis(run.firstStep + i), stepMillis(run.firstStep + i + 1), count]))),
};

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** A picture of the page does not know the page's style: it takes the colours along. Its words are drawn with all others. */
async function imageOf(svg, { width, height }) {
  const copy = svg.cloneNode(true), from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const css = getComputedStyle(element);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"]) to[i].style.setProperty(name, css.getPropertyValue(name));
  });
  for (const text of copy.querySelectorAll("text, title")) text.remove();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const image = new Image();
  image.src = "data:image/svg+xml," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await image.decode();
  return image;
}

/** Word for word, because a text may go over several lines. */
function drawWords(pen, shape, at) {
  const walk = document.createTreeWalker(shape, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest("button, title") || !parent.checkVisibility()) continue;
    const css = getComputedStyle(parent), word = document.createRange();
    pen.font = `${css.fontStyle} ${css.fontWeight} ${css.fontSize} ${css.fontFamily}`;
    pen.fillStyle = parent.closest("svg") ? css.fill : css.color;
    for (const { 0: text, index } of node.data.matchAll(/\S+/g)) {
      word.setStart(node, index);
      word.setEnd(node, index + text.length);
      const box = at(word);
      pen.fillText(text, box.x, box.y + box.height / 2);
    }
  }
}

async function pictureOf(shape) {
  const frame = shape.getBoundingClientRect(), sharp = 2, margin = 12, canvas = document.createElement("canvas");
  canvas.width = (frame.width + 2 * margin) * sharp;
  canvas.height = (frame.height + 2 * margin) * sharp;
  const pen = canvas.getContext("2d"), background = getComputedStyle(document.body).backgroundColor;
  const at = of => {
    const { x, y, width, height } = of.getBoundingClientRect();
    return { x: x - frame.x + margin, y: y - frame.y + margin, width, height };
  };
  pen.scale(sharp, sharp);
  pen.textBaseline = "middle";
  pen.fillStyle = background;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  for (const box of shape.querySelectorAll(".phase, .swatch")) {
    const { x, y, width, height } = at(box);
    pen.fillStyle = getComputedStyle(box).backgroundColor;
    pen.fillRect(x, y, width, height);
  }
  for (const part of shape.querySelectorAll("canvas, svg")) {
    const box = at(part), image = part.tagName === "CANVAS" ? part : await imageOf(part, box);
    if (box.width && box.height) pen.drawImage(image, box.x, box.y, box.width, box.height);
  }
  drawWords(pen, shape, at);
  return new Promise(done => canvas.toBlob(done, "image/png"));
}

/** To the clipboard; where the browser keeps it closed, to a file. */
async function takePicture(shape, name) {
  const blob = await pictureOf(shape);
  try {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
    return "copied";
  } catch {
    save(blob, name + ".png");
    return "saved";
  }
}

function button(text, label, take) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.setAttribute("aria-label", label);
  element.addEventListener("click", async () => {
    try {
      element.textContent = await take();
    } catch {
      // Such as a browser that makes no picture of a canvas.
      element.textContent = "not possible here";
    }
    setTimeout(() => { element.textContent = text; }, 2000);
  });
  return element;
}

for (const shape of document.querySelectorAll("main figure:has(> h3)")) {
  const head = shape.querySelector("h3"), title = head.firstChild.data.trim(), take = document.createElement("span");
  const id = shape.dataset.panel, csv = id ? () => panelCsv(id) : FIGURES[shape.dataset.figure];
  const name = (document.querySelector("h1").textContent + " " + title).toLowerCase().replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^[-.]+|-+$/g, "");
  take.className = "take";
  if (csv) take.append(button("CSV", "Save the points of " + title + " as CSV", () => {
    save(new Blob([csv()], { type: "text/csv" }), name + ".csv");
    return "saved";
  }));
  take.append(button("PNG", "Copy the picture of " + title + " as PNG", () => takePicture(shape, name)));
  head.append(take);
}
