import { el, fill } from "./dom.js";

/**
 * A page as a browser lays it out, in a frame of another origin that allows no script, no form and no window.
 *
 * Its own policy is this page's, which a document in memory takes over: nothing is loaded from anywhere, styles included. What no policy
 * stops, links that only warm up a connection, is renamed before the frame sees it, and so are frames, whose `srcdoc` could hold such links.
 */
export class PreviewView {
  #address = null;
  #ended = false;
  #text;
  element = el("div", { class: "preview" },
    el("p", { class: "quiet" }, "A preview has no scripts, styles, forms or pictures from other places. "),
    el("button", { type: "button", class: "button small", onclick: () => this.#show() }, "Draw the page"));

  constructor(text) { this.#text = text; }

  end() {
    this.#ended = true;
    if (this.#address) URL.revokeObjectURL(this.#address);
  }

  async #show() {
    const page = (await this.#text.text()).replace(/<(\/?)(link|meta|base|iframe)(?=[\s/>])/gi, "<$1x-$2");
    if (this.#ended) return;
    const start = '<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:">'
      + '<meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">';
    this.#address = URL.createObjectURL(new Blob([start, page], { type: "text/html;charset=utf-8" }));
    fill(this.element, el("iframe", {
      sandbox: "", src: this.#address, title: "Preview of the body", referrerpolicy: "no-referrer", loading: "eager", tabindex: "0",
    }));
  }
}
