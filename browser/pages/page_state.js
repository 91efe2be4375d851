// What page this is, or null while it cannot be told yet. Reads only.
// Argument: lists of CSS by name (accountButton, profileLink, signIn, challenge, scriptFailure).
(css) => {
  const first = (ways) => {
    for (const way of ways) {
      const found = document.querySelector(way);
      if (found) return found;
    }
    return null;
  };
  const isVisible = (element) => !!element && element.getClientRects().length > 0;
  const path = location.pathname;
  const named = (state) => ({ state, handle: null, path });

  if (path.startsWith("/account/access")) return named("locked");
  if (path.startsWith("/i/not_a_bot") || isVisible(first(css.challenge))) return named("challenge");
  if (path.startsWith("/i/flow/login") || path.startsWith("/i/jf/onboarding")) {
    return first(css.signIn) ? named("signed_out") : null;
  }
  if (first(css.accountButton)) {
    const link = first(css.profileLink);
    const id = link ? link.getAttribute("data-testid") || "" : "";
    const href = link ? link.getAttribute("href") || "" : "";
    const handle = id.startsWith("UserAvatar-Container-")
      ? id.slice("UserAvatar-Container-".length)
      : href.replace(/^\//, "");
    return { state: "ready", handle: handle || null, path };
  }
  if (first(css.signIn)) return named("signed_out");
  if (isVisible(first(css.scriptFailure))) return named("never_hydrated");
  return null;
}
