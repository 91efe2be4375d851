// The posts that the page shows now, in its order; null for an article that holds none (a grave, an
// advertisement). Reads only; works on a saved page as well.
// Argument: lists of CSS by name (article, postLink, postText, quoted, socialContext, card,
// showMore, photo, userName).
(css) => {
  const all = (root, ways) => {
    for (const way of ways) {
      const found = [...root.querySelectorAll(way)];
      if (found.length) return found;
    }
    return [];
  };
  const PERMALINK = /^(?:https:\/\/(?:x|twitter)\.com)?\/([A-Za-z0-9_]*)\/status\/(\d+)/;

  // The outer post only: whatever lies in a quoted post or in another article is not its own.
  const own = (article, ways) => {
    const quotes = all(article, css.quoted);
    const isOwn = (element) =>
      element.closest("article") === article && !quotes.some((quote) => quote.contains(element));
    for (const way of ways) {
      const found = [...article.querySelectorAll(way)].filter(isOwn);
      if (found.length) return found;
    }
    return [];
  };

  const isOutside = (anchor) => {
    const href = anchor.getAttribute("href") || "";
    return /^https?:\/\//.test(href) && !/^https?:\/\/(?:x|twitter)\.com\//.test(href);
  };
  // X hides parts of a long address in aria-hidden spans and adds one that holds only an ellipsis.
  const linkOf = (anchor) => {
    const whole = anchor.textContent.replace(/…$/, "");
    const isHidden = (node) => node.nodeType === 1 && !!node.getAttribute("aria-hidden");
    const nodes = [...anchor.childNodes];
    const isCut = anchor.textContent.endsWith("…");
    const isWhole = /^https?:\/\//.test(whole) && (!isCut || nodes.some(isHidden));
    const shown = nodes.map((node) => (isHidden(node) ? "" : node.textContent)).join("") || whole;
    return {
      shown: isCut && !shown.endsWith("…") ? `${shown}…` : shown,
      href: anchor.getAttribute("href"),
      expanded: isWhole ? whole : null,
    };
  };
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeName === "IMG") return node.getAttribute("alt") || "";
    if (node.nodeName === "BR") return "\n";
    if (node.nodeName === "A" && isOutside(node)) {
      const link = linkOf(node);
      return link.expanded || link.shown;
    }
    return [...node.childNodes].map(textOf).join("");
  };

  const cardDomain = (card) => {
    if (!card) return null;
    const label = card.querySelector("a[aria-label]");
    const words = ((label && label.getAttribute("aria-label")) || "").split(/\s+/);
    const shown = card.innerText.trim().split(/\s+/);
    const isDomain = (word) => /^[^\s/]+\.[^\s/.]{2,}$/.test(word);
    return words.slice(0, 1).find(isDomain) || shown.reverse().find(isDomain) || null;
  };

  // Named only by structure: an @handle that stands outside author line, text and card.
  const isReply = (article, author) => {
    const parts = [css.userName, css.postText, css.card, css.socialContext];
    const known = parts.flatMap((ways) => own(article, ways));
    return own(article, ["a[href^='/']"]).some(
      (anchor) =>
        anchor.textContent.trim().startsWith("@") &&
        anchor.getAttribute("href") !== `/${author}` &&
        !known.some((part) => part.contains(anchor)),
    );
  };

  const postOf = (article) => {
    const link = own(article, css.postLink).find((anchor) => PERMALINK.test(anchor.getAttribute("href")));
    if (!link) return null;
    const [, handle, id] = PERMALINK.exec(link.getAttribute("href"));
    const text = own(article, css.postText)[0];
    const context = own(article, css.socialContext)[0];
    const isRepost = !!context && !!(context.closest("a") || context.querySelector("a"));
    const isQuote = all(article, css.quoted).some((quote) => quote.querySelector("time"));
    return {
      id,
      handle: handle === "i" ? null : handle || null, // X may not say who
      text: text ? textOf(text) : "",
      links: text ? [...text.querySelectorAll("a")].filter(isOutside).map(linkOf) : [],
      cardDomain: cardDomain(own(article, css.card)[0]),
      isPinned: !!context && !isRepost,
      kind: isRepost ? "repost" : isQuote ? "quote" : isReply(article, handle) ? "reply" : "post",
      isTruncated: own(article, css.showMore).length > 0,
      isEdited: own(article, ["a[href$='/history']"]).length > 0,
      media: own(article, css.photo).length,
      createdAt: link.querySelector("time").getAttribute("datetime"),
    };
  };
  const posts = new Set(all(document, css.article));
  return [...document.querySelectorAll(css.article.join(", "))]
    .filter((article) => !article.parentElement.closest("article"))
    .map((article) => (posts.has(article) ? postOf(article) : null));
}
