import * as api from "./api.js";
import { copyButton, el, fill } from "./dom.js";
import { bytes as size, count, shortType } from "./format.js";
import { hexView } from "./hex.js";
import * as json from "./json-tree.js";

const firstBytes = 1 << 20;
// What the server decodes at most.
const wholeBytes = 32 << 20;
const textLimit = 200_000;
// Pictures a browser draws without running anything in them; SVG is shown as the text it is.
const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/;

/** The body of one message: fetched when it is looked at, in the view its type suggests, with the others beside it. */
export class BodyView {
  #element = el("div", { class: "body" });
  #message;
  #id;
  #side;
  #mode = null;
  #picture = null;
  #abort = new AbortController();

  constructor(id, side, message) {
    this.#id = id;
    this.#side = side;
    this.#message = message;
    if (message.body.size > 0) this.#load(firstBytes);
    else fill(this.#element, el("p", { class: "quiet" }, "No body."));
  }

  get element() { return this.#element; }

  /** Stops what is under way and lets go of the picture. */
  end() {
    this.#abort.abort();
    if (this.#picture) URL.revokeObjectURL(this.#picture);
    this.#picture = null;
  }

  async #load(limit) {
    fill(this.#element, el("p", { class: "quiet", role: "status" }, "Loading the body…"));
    try {
      const { bytes, problem } = await api.body(this.#id, this.#side, { limit, signal: this.#abort.signal });
      this.#show(bytes, problem, problem && bytes.length >= limit && limit === firstBytes);
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(this.#element, el("p", { class: "problem" }, error.message), this.#links());
    }
  }

  #show(bytes, problem, hasMore) {
    const views = this.#views(bytes);
    const content = el("div", { class: "content" });
    const buttons = views.map(([name]) => el("button", {
      type: "button", class: "button small", "aria-pressed": "false", onclick: () => pick(name),
    }, name));
    const pick = (name) => {
      this.#mode = name;
      buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(views[index][0] === name)));
      fill(content, views.find(([one]) => one === name)[1]());
    };
    fill(this.#element,
      el("div", { class: "toolbar" },
        el("div", { class: "segments", role: "group", "aria-label": "View of the body" }, buttons),
        el("span", { class: "quiet" }, this.#facts(bytes)),
        this.#links(),
      ),
      this.#notice(bytes, problem, hasMore),
      content,
    );
    pick(views.some(([name]) => name === this.#mode) ? this.#mode : views[0][0]);
  }

  /** The views that fit, the best first, each with the function that draws it. */
  #views(bytes) {
    const type = this.#message.type;
    const views = [];
    const text = decode(bytes, this.#message.contentType);
    if (pictures.test(type)) views.push(["Image", () => this.#image(bytes, type)]);
    if (text !== null) {
      const looksLikeJSON = /[/+]json/.test(type) || /^\s*[[{]/.test(text);
      const tree = looksLikeJSON ? json.parse(text) : null;
      if (tree) views.push(["Tree", () => json.draw(tree)]);
      if (type === "application/x-www-form-urlencoded") views.push(["Form", () => form(text)]);
      views.push(["Text", () => plain(text)]);
    }
    views.push(["Hex", () => hexView(bytes)]);
    return views;
  }

  #facts(bytes) {
    const { body } = this.#message;
    const coding = body.codings?.length ? `, ${body.codings.join(" + ")} from ${size(body.size)}` : "";
    return `${shortType(this.#message.type) || "no type"} · ${size(bytes.length)}${coding}`;
  }

  #notice(bytes, problem, hasMore) {
    if (hasMore) {
      return el("p", { class: "problem" }, `The first ${size(bytes.length)} are shown. ${problem} `,
        el("button", { type: "button", class: "button small", onclick: () => this.#load(wholeBytes) }, "Load all"));
    }
    return problem && el("p", { class: "problem" }, problem);
  }

  #links() {
    const { body } = this.#message;
    const link = (decoded, text) => el("a", { class: "button small", href: api.bodyHref(this.#id, this.#side, decoded), download: "" }, text);
    return el("span", { class: "links" }, body.codings?.length > 0 && link(true, "Save decoded"),
      link(false, body.codings?.length ? "Save as sent" : "Save"));
  }

  #image(bytes, type) {
    if (!this.#picture) this.#picture = URL.createObjectURL(new Blob([bytes], { type }));
    const facts = el("figcaption", { class: "quiet" });
    const image = el("img", {
      src: this.#picture, alt: "The body as a picture",
      onload: () => { facts.textContent = `${image.naturalWidth} × ${image.naturalHeight}`; },
      onerror: () => { facts.textContent = "These bytes are not a picture of their type."; },
    });
    return el("figure", { class: "picture" }, image, facts);
  }
}

/** The text of bytes in the charset their type names; null when they are no text. */
function decode(bytes, contentType) {
  const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(trimmed(bytes, label));
    return /[\u0000-\u0008\u000e-\u001a]/.test(text.slice(0, 4096)) ? null : text;
  } catch {
    return null;
  }
}

/** The bytes without half a UTF-8 character at the end, which a cut may have left. */
function trimmed(bytes, label) {
  if (!/^utf-?8$/i.test(label)) return bytes;
  let end = bytes.length;
  while (end > bytes.length - 4 && end > 0 && (bytes[end - 1] & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return bytes.length - end + 1 < needed ? bytes.subarray(0, end - 1) : bytes;
}

function plain(text) {
  const pre = el("pre", { class: "text", tabindex: "0", "aria-label": "Body as text" }, text.slice(0, textLimit));
  const view = el("div", {}, el("div", { class: "corner" }, copyButton(text)), pre);
  if (text.length > textLimit) {
    const more = el("button", { type: "button", class: "button small" }, `Show the other ${count(text.length - textLimit)} characters`);
    more.addEventListener("click", () => {
      pre.textContent = text;
      more.remove();
    });
    view.append(more);
  }
  return view;
}

function form(text) {
  const rows = [...new URLSearchParams(text)].map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)));
  return el("table", { class: "fields" }, el("tbody", {}, rows));
}
