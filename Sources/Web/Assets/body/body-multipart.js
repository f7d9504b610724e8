import { el, fill } from "./dom.js";
import { bytes as size, counted } from "./format.js";
import { latin } from "./highlight.js";

const stepBytes = 1 << 20;
const headLimit = 64 << 10;
const partLimit = 200;
const openParts = 3;

/** The parts of a multipart body (RFC 2046 §5.1), each with its head and its own body, which `drawPart` draws when the part is opened. */
export class MultipartView {
  #contents = [];
  #drawPart;
  #ended = false;
  element = el("div", { class: "parts" }, el("p", { class: "quiet", role: "status" }, "Looking for the parts…"));

  constructor(blob, contentType, { drawPart }) {
    this.#drawPart = drawPart;
    const boundary = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(contentType ?? "");
    this.#show(blob, boundary && (boundary[1]?.replace(/\\(.)/g, "$1") ?? boundary[2]));
  }

  end() {
    this.#ended = true;
    for (const content of this.#contents) content.end();
  }

  async #show(blob, boundary) {
    if (!boundary) {
      fill(this.element, el("p", { class: "problem" }, "The Content-Type names no boundary; Text and Hex have the bytes."));
      return;
    }
    const { parts, count, isWhole } = await split(blob, boundary);
    if (this.#ended) return;
    const shown = await Promise.all(parts.map((part, index) => this.#part(part, index)));
    fill(this.element,
      el("p", { class: "quiet" }, `${counted(count, "part")}${count > parts.length ? `, ${parts.length} of them shown` : ""}`),
      !isWhole && el("p", { class: "problem" },
        count ? "The closing boundary is missing." : "The boundary does not occur in the body."), shown);
  }

  async #part(part, index) {
    const head = latin.decode(await part.slice(0, headLimit).arrayBuffer());
    const gap = /^\r?\n|\r?\n\r?\n/.exec(head);
    const lines = gap ? head.slice(0, gap.index) : "";
    const content = part.slice(gap ? gap.index + gap[0].length : 0);
    const text = new TextDecoder().decode(await part.slice(0, lines.length).arrayBuffer());
    const field = (name) => new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(text)?.[1]?.trim();
    const disposition = field("content-disposition") ?? "";
    const parameter = (name) => new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, "i").exec(disposition)?.[1];
    const place = el("div", { class: "part-body" });
    const show = () => {
      if (place.hasChildNodes() || this.#ended) return;
      const view = this.#drawPart(content, field("content-type") ?? (parameter("filename") ? null : "text/plain"));
      this.#contents.push(view);
      place.append(view.element);
    };
    const isOpen = index < openParts;
    if (isOpen) show();
    return el("details", { open: isOpen, ontoggle: show, class: "part" },
      el("summary", {}, el("b", {}, parameter("name") ?? `Part ${index + 1}`), " ",
        parameter("filename") && el("span", {}, `${parameter("filename")} `),
        el("span", { class: "quiet" }, [field("content-type"), size(content.size)].filter(Boolean).join(" · "))),
      text && el("pre", { class: "head" }, text), place);
  }
}

/** The first blobs between a boundary's lines, and how many there are: a body of a megabyte may have a quarter of a million. */
async function split(blob, boundary) {
  const escaped = [...boundary].map((character) => character.replace(/[^\w]/, "\\$&")).join("");
  const line = new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?=\\r?\\n|$)`, "g");
  const overlap = boundary.length + 16;
  const parts = [];
  let [count, last, from] = [0, -1, 0];
  // The line end before a boundary is the boundary's, even where it is the line end of the boundary before.
  const cut = (end) => { if (count > 0 && count <= partLimit) parts.push(blob.slice(from, Math.max(from, end))); };
  for (let at = 0; at < blob.size; at += stepBytes) {
    const text = latin.decode(await blob.slice(at, at + stepBytes + overlap).arrayBuffer());
    for (const match of text.matchAll(line)) {
      const start = at + match.index;
      // Neither the start of a step nor its end stands for the body's.
      if (at > 0 && match.index === 0 && !/^[\r\n]/.test(match[0])) continue;
      if (start <= last || match.index >= stepBytes) continue;
      cut(start);
      if (match[1]) return { parts, count, isWhole: true };
      const rest = match.index + match[0].length;
      const lineEnd = text.startsWith("\r\n", rest) ? 2 : text.startsWith("\n", rest) ? 1 : 0;
      [count, last, from] = [count + 1, start, at + rest + lineEnd];
    }
  }
  cut(blob.size);
  return { parts, count, isWhole: false };
}
