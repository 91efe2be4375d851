// Everything the composer shows, or null while there is none. Reads only.
// Argument: lists of CSS by name (editor, button, counter, attachments, typeahead, callout,
// otherDialog, question).
(css) => {
  const all = (ways) => {
    for (const way of ways) {
      const found = [...document.querySelectorAll(way)];
      if (found.length) return found;
    }
    return [];
  };
  const isVisible = (element) => element.getClientRects().length > 0;

  // Emoji are images; a line break inside a block is a text node or a <br> that stands for nothing
  // when the block is empty.
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeName === "IMG") return node.getAttribute("alt") || "";
    if (node.nodeName === "BR") return node.hasAttribute("data-text") ? "" : "\n";
    return [...node.childNodes].map(textOf).join("");
  };
  const blockText = (block) => {
    const text = textOf(block);
    return text.endsWith("\n") ? text.slice(0, -1) : text; // Draft doubles the last line break
  };
  const editorText = (editor) => {
    if ("value" in editor) return editor.value;
    const blocks = [...editor.querySelectorAll('[data-block="true"]')];
    return blocks.length ? blocks.map(blockText).join("\n") : editor.innerText;
  };

  const editor = all(css.editor)[0];
  if (!editor) return null;
  const buttons = all(css.button).filter(isVisible);
  const isDisabled = (button) =>
    button.hasAttribute("disabled") || button.getAttribute("aria-disabled") === "true";
  const texts = (ways) => all(ways).filter(isVisible).map((element) => element.innerText.trim());
  return {
    text: editorText(editor).replaceAll("\u00a0", " "),
    isEditable: editor.isContentEditable || ("value" in editor && !editor.disabled),
    buttons: buttons.length,
    isEnabled: buttons.length === 1 && !isDisabled(buttons[0]),
    counter: texts(css.counter)[0] || null,
    attachments: all(css.attachments).length,
    callout: texts(css.callout)[0] || null,
    isTypeaheadOpen: all(css.typeahead).some(isVisible),
    isQuestionOpen: all(css.question).some(isVisible),
    otherDialogs: all(css.otherDialog).filter(isVisible).length,
  };
}
