// The first of several things that is visible now: {which, css}, or null. Reads only.
// Argument: for each thing its list of CSS, in order.
(things) => {
  const isVisible = (element) => element.getClientRects().length > 0;
  for (const [which, ways] of things.entries()) {
    for (const css of ways) {
      if ([...document.querySelectorAll(css)].some(isVisible)) return { which, css };
    }
  }
  return null;
}
