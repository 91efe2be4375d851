// Watches for toasts that appear from now on; nothing in the page is changed.
// Argument: {ways: [CSS]}. Returns an object: `next(n)` waits until more than n toasts were seen
// and gives them all as {text, href}.
({ ways }) => {
  const seen = [];
  const waiting = [];
  const find = () => ways.flatMap((way) => [...document.querySelectorAll(way)]);
  const read = (element) => {
    const link = element.querySelector('a[href*="/status/"]');
    return { text: element.innerText.trim(), href: link ? link.getAttribute("href") : null };
  };
  const known = new Map(find().map((element) => [element, JSON.stringify(read(element))]));
  const scan = () => {
    for (const element of find()) {
      const toast = read(element);
      const key = JSON.stringify(toast);
      if (known.get(element) === key || (!toast.text && !toast.href)) continue;
      known.set(element, key);
      seen.push(toast);
    }
    for (let at = waiting.length - 1; at >= 0; at -= 1) {
      if (seen.length > waiting[at].count) waiting.splice(at, 1)[0].resolve([...seen]);
    }
  };
  new MutationObserver(scan).observe(document.body, {
    childList: true,
    subtree: true,
    characterData: true,
    attributes: true,
    attributeFilter: ["href"],
  });
  return {
    next: (count) =>
      new Promise((resolve) => {
        waiting.push({ count, resolve });
        scan();
      }),
  };
}
