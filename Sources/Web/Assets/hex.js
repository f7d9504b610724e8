import { el } from "./dom.js";
import { bytes as size } from "./format.js";

const pageBytes = 16 << 10;

/** Bytes as offsets, hexadecimal and characters; a page at a time. */
export function hexView(bytes) {
  const text = el("pre", { class: "hex", tabindex: "0", "aria-label": "Body in hexadecimal" });
  const view = el("div", {}, text);
  let shown = 0;
  const more = el("button", { type: "button", class: "button small", onclick: () => show() });
  function show() {
    const end = Math.min(bytes.length, shown + pageBytes);
    text.append(lines(bytes, shown, end));
    shown = end;
    more.textContent = `Show more (${size(bytes.length - shown)} left)`;
    if (shown === bytes.length) more.remove();
    else view.append(more);
  }
  show();
  return view;
}

function lines(bytes, from, end) {
  let text = "";
  for (let line = from; line < end; line += 16) {
    const part = bytes.subarray(line, Math.min(end, line + 16));
    const hex = [...part].map((byte) => byte.toString(16).padStart(2, "0"));
    const halves = `${hex.slice(0, 8).join(" ").padEnd(23)}  ${hex.slice(8).join(" ").padEnd(23)}`;
    const characters = [...part].map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    text += `${line.toString(16).padStart(8, "0")}  ${halves}  ${characters}\n`;
  }
  return text;
}
