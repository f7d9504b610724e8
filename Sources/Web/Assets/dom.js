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

/** The element of the document with this id. */
export const byId = (id) => document.getElementById(id);

/** A button that copies a text, or what a function gives at once or later, and says so. */
export function copyButton(text, label = "Copy") {
  const button = el("button", { type: "button", class: "button small" }, label);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? await text() : text);
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
