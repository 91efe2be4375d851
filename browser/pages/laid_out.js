// Whether every cell of a list that is in view has been measured and shows. Reads only.
// Argument: the CSS of a cell, in order.
(ways) => {
  for (const css of ways) {
    const cells = [...document.querySelectorAll(css)];
    if (!cells.length) continue;
    return cells.every((cell) => {
      const { top, bottom } = cell.getBoundingClientRect();
      const isInView = bottom > 0 && top < innerHeight;
      return !isInView || Number(getComputedStyle(cell).opacity) > 0.9;
    });
  }
  return true;
}
