// Tables that are wider than the screen say so. A frame later: what they say makes them higher.

const widths = new ResizeObserver(boxes => requestAnimationFrame(() => {
  for (const { target } of boxes) target.classList.toggle("wider", target.scrollWidth > target.clientWidth + 1);
}));
function watchWidths() {
  for (const box of document.querySelectorAll("main .scroll")) widths.observe(box);
}
watchWidths();
