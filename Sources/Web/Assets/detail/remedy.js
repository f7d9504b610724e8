import * as api from "./api.js";
import { copyButton, el, fill } from "./dom.js";

/** What fixes a failed TLS handshake or lifts a refusal: its meaning, the command, and a button that passes the host through. */
export class RemedyView {
  element = null;
  #host;
  #place = el("div", { class: "remedy-way", "aria-live": "polite" });

  constructor({ remedy, failure }, { canPass }) {
    if (!remedy) return;
    this.#host = remedy.passThrough;
    const isSaid = remedy.explanation === failure?.message;
    this.element = el("section", { class: "remedy" }, el("h3", {}, isSaid ? "What helps" : "What it means"),
      !isSaid && el("p", {}, remedy.explanation),
      remedy.command && el("div", { class: "corner" }, copyButton(remedy.command)),
      remedy.command && el("pre", { class: "text" }, remedy.command),
      this.#host && canPass && this.#place);
    if (this.#host && canPass) this.#look();
  }

  async #look() {
    try {
      this.#draw(await api.get("pass-through"));
    } catch (error) {
      this.#refuse(error);
    }
  }

  #draw({ hosts }) {
    const host = this.#host.toLowerCase();
    const isPassed = hosts.some((one) => one.host === host);
    fill(this.#place, isPassed && el("p", { class: "quiet" }, `${this.#host} passes through unread from now on, until the proxy stops.`),
      el("button", { type: "button", class: "button small", onclick: () => this.#change(isPassed) },
        isPassed ? `Read ${this.#host} again` : `Pass ${this.#host} through`));
  }

  async #change(isPassed) {
    const hadFocus = this.#place.contains(document.activeElement);
    try {
      this.#draw(await (isPassed
        ? api.remove(`pass-through/${encodeURIComponent(this.#host.toLowerCase())}`)
        : api.post("pass-through", { host: this.#host })));
      if (hadFocus) this.#place.querySelector("button").focus();
    } catch (error) {
      this.#refuse(error);
    }
  }

  #refuse(error) { fill(this.#place, el("p", { class: "problem" }, error.message)); }
}
