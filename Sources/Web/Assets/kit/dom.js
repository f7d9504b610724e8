// Builds elements. Text goes in as text nodes only, so captured bytes can never become markup.

/** An element with attributes, listeners (`onclick: fn`) and children (nodes or text; null is left out). */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** Replaces everything inside an element. */
export function fill(element, ...children) {
  element.textContent = "";
  append(element, children);
  return element;
}

/** Says a text in an element, and leaves the element alone where it says that already. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The element of the document with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * Puts a text on the clipboard, or the text that a promise resolves to.
 *
 * The promise itself is handed over at once: Safari lets a page write only while the click lasts, and an answer of the API comes later.
 */
export async function copyText(text) {
  if (typeof text === "string") return navigator.clipboard.writeText(text);
  const blob = text.then((one) => new Blob([one], { type: "text/plain" }));
  // Where both fail, the text's own error is told.
  await Promise.all([text, navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })])]);
}

/** A button that copies a text, or the text that a function returns at once or later, and says that it has. */
export function copyButton(text, label = "Copy") {
  const button = el("button", { type: "button", class: "button small" }, label);
  button.addEventListener("click", async () => {
    try {
      await copyText(typeof text === "function" ? text() : text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}
