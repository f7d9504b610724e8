import { el, fill } from "./dom.js";

let made = 0;

/**
 * Shows a dialog over the page until it is closed; Escape closes it and the focus goes back to where it was, or to what `back` returns where that is
 * gone.
 */
export function show({ title, body, actions = [], className = "", back = () => null }) {
  const id = `dialog-${made += 1}`;
  const close = el("button", { type: "button", class: "close", "aria-label": "Close", onclick: () => dialog.close() }, "✕");
  const dialog = el("dialog", { class: `dialog ${className}`, "aria-labelledby": id },
    el("header", {}, el("h2", { id }, title), close),
    el("div", { class: "inside" }, body),
    actions.length > 0 && el("footer", {}, actions));
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    const home = before?.isConnected ? before : back();
    home?.focus({ preventScroll: true });
  });
  // A press beside it closes it, as people expect.
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks for something and does it: a form with a button that acts and one that does not.
 *
 * `does` may throw, then its sentence stands in the dialog, which stays. Returns a promise that is settled when the dialog is closed.
 */
export function ask({ title, body, act, does, isDanger = false }) {
  const problem = el("p", { class: "wrong", role: "alert", hidden: true });
  const button = el("button", { class: `button ${isDanger ? "danger" : "primary"}` }, act);
  const cancel = el("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel");
  const form = el("form", {
    method: "dialog",
    onsubmit: async (event) => {
      event.preventDefault();
      button.disabled = true;
      try {
        await does();
        dialog.close();
      } catch (error) {
        problem.hidden = false;
        fill(problem, error.message);
      }
      button.disabled = false;
    },
  }, body, problem, el("footer", {}, cancel, button));
  const dialog = show({ title, body: form });
  (dialog.querySelector("form input:not([type=radio]), form select, form textarea") ?? (isDanger ? cancel : button)).focus();
  return new Promise((resolve) => dialog.addEventListener("close", resolve));
}
