import * as api from "./api.js";
import { BodyContent } from "./body-content.js";
import { textView } from "./body-text.js";
import { el, fill } from "./dom.js";
import { bytes as size, count, shortType } from "./format.js";

// Bytes that the server decodes in one answer at most, and bytes that the page asks for of a body without content coding.
const decodedLimit = 128 << 20;
const wholeLimit = 512 << 20;
// The beginning of a longer text is shown while the rest is on its way.
const longBytes = 2 << 20;
const beginning = 128 << 10;

/** The body of one message: fetched when it is shown, and held by the browser outside of the page's memory. */
export class BodyView {
  #element = el("div", { class: "body" });
  #message;
  #id;
  #side;
  #terms;
  #content = null;
  #abort = new AbortController();
  #isLoading = false;
  /** The kept bytes of the body when it was asked for. */
  #asked = 0;
  #grown = el("p", { class: "grown quiet" }, el("span", {}), el("button", {
    type: "button", class: "button small", onclick: () => {
      // The button goes; the panel around it keeps the keys.
      this.#element.closest("[tabindex]")?.focus({ preventScroll: true });
      this.#again();
    },
  }, "Load again"));

  constructor(id, side, message, { terms }) {
    this.#id = id;
    this.#side = side;
    this.#message = message;
    this.#terms = terms;
    if (message.body.size > 0) this.#load();
    else fill(this.#element, el("p", { class: "quiet" }, "No body."));
  }

  get element() { return this.#element; }

  /** Stops the work that is under way and releases the body. */
  end() {
    this.#abort.abort();
    this.#content?.end();
  }

  /** Takes the message as it is now: its first bytes are shown, and what comes later is offered, so that the reader keeps the place. */
  refresh(message) {
    this.#message = message;
    if (kept(message.body) <= this.#asked) return;
    if (this.#asked === 0) this.#again();
    else if (!this.#isLoading) this.#offer();
  }

  #again() {
    this.end();
    this.#abort = new AbortController();
    this.#content = null;
    this.#load();
  }

  #offer() {
    fill(this.#grown.firstChild, `${size(kept(this.#message.body))} by now. `);
    if (!this.#grown.isConnected) this.#element.prepend(this.#grown);
  }

  async #load() {
    const { body, contentType } = this.#message;
    const { signal } = this.#abort;
    this.#isLoading = true;
    this.#asked = kept(body);
    const isAsSent = !body.codings?.length && kept(body) <= wholeLimit;
    fill(this.#element, el("p", { class: "quiet", role: "status" }, `Loading ${size(kept(body))}…`));
    if (kept(body) > longBytes) this.#showBeginning();
    const query = isAsSent ? "" : `?decoded=1&limit=${decodedLimit}`;
    try {
      const { blob, problem } = await api.blob(`exchanges/${this.#id}/${this.#side}/body${query}`, { signal });
      if (signal.aborted) return;
      this.#content = new BodyContent(blob, {
        contentType, facts: this.#facts(blob), links: this.#links(), problem: this.#problem(problem), terms: this.#terms,
      });
      fill(this.#element, this.#content.element);
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(this.#element, el("p", { class: "problem" }, error.message), this.#links());
    }
    this.#isLoading = false;
    if (kept(this.#message.body) > this.#asked) this.#offer();
  }

  async #showBeginning() {
    const { signal } = this.#abort;
    try {
      const { blob } = await api.blob(`exchanges/${this.#id}/${this.#side}/body?decoded=1&limit=${beginning}`, { signal });
      if (signal.aborted || this.#content || !/^(text\/|.*[/+](json|xml|javascript)\b)/.test(this.#message.type)) return;
      this.#element.append(textView(blob).element);
    } catch {
      // The request for the whole body says what is wrong.
    }
  }

  #problem(problem) {
    const { body } = this.#message;
    if (problem || !body.truncated) return problem;
    return `Only the first ${count(body.kept)} of ${count(body.size)} bytes were kept.`;
  }

  #facts(blob) {
    const { body, type } = this.#message;
    const coding = body.codings?.length ? `, ${body.codings.join(" + ")} from ${size(body.size)}` : "";
    return `${shortType(type) || "no type"} · ${size(blob.size)}${coding}`;
  }

  #links() {
    const { body } = this.#message;
    const link = (decoded, text) => el("a", { class: "button small", href: api.bodyHref(this.#id, this.#side, decoded), download: "" }, text);
    return [body.codings?.length > 0 && link(true, "Save decoded"), link(false, body.codings?.length ? "Save as sent" : "Save")];
  }
}

/** The bytes of a body that can be read. */
const kept = (body) => body.kept ?? body.size;
