// Labels that belong to lines: beside the ends, moved apart where they would cover one another.

const Labels = {
  /** Moves labels of the given height apart, keeping their order and staying between top and bottom. */
  spread(labels, height, top, bottom) {
    labels.sort((a, b) => a.y - b.y);
    for (let i = 0; i < labels.length; i++) {
      labels[i].y = Math.max(labels[i].y, i ? labels[i - 1].y + height : top);
    }
    for (let i = labels.length - 1; i >= 0; i--) {
      labels[i].y = Math.min(labels[i].y, i < labels.length - 1 ? labels[i + 1].y - height : bottom);
    }
    return labels;
  },

  /** Moves labels down until none covers another; widths are estimated, for text is not drawn yet. */
  stack(elements, height) {
    const box = e => {
      const width = e.style.text.length * 8;
      return e.style.align === "right" ? [e.x - width, e.x] : [e.x, e.x + width];
    };
    const placed = [];
    for (const element of elements) {
      const [left, right] = box(element);
      const covers = other => Math.abs(other.y - element.y) < height && box(other)[0] < right && box(other)[1] > left;
      while (placed.some(covers)) element.y += height;
      placed.push(element);
    }
    return placed;
  },

  /** The text in the font of the page, with a rim of the background so that it stays legible on lines. */
  text(id, x, y, text, fill, background, more) {
    return {
      id, type: "text", silent: true, x, y, z: 50,
      style: Object.assign({
        text, fill, stroke: background, lineWidth: 4, fontSize: 13, fontFamily: "inherit", verticalAlign: "middle",
      }, more),
    };
  },

  shorten(name, letters) {
    return name.length <= letters ? name : name.slice(0, letters - 1) + "…";
  },
};
