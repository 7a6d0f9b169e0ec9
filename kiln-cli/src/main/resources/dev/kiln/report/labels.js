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
  stack(labels, height) {
    const box = l => {
      const width = l.text.length * 8;
      return l.right ? [l.x - width, l.x] : [l.x, l.x + width];
    };
    const placed = [];
    for (const label of labels) {
      const [left, right] = box(label);
      const covers = other => Math.abs(other.y - label.y) < height && box(other)[0] < right && box(other)[1] > left;
      while (placed.some(covers)) label.y += height;
      placed.push(label);
    }
    return placed;
  },
};
