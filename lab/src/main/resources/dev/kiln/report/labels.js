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
