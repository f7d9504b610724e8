import { viewsOf } from "./body-views.js";
import { copyButton, el, fill } from "./dom.js";
import { Find } from "./find.js";

const copyLimit = 32 << 20;
// The view last picked for a media type: the next body of the type begins with it.
const picked = new Map();

/** Bytes in the view that their type suggests, with the others beside it, a find box and what can be done with them. */
export class BodyContent {
  #blob;
  #terms;
  #type;
  #find = null;
  #view = null;
  #ended = false;
  #place = el("div", { class: "content" });
  #finder = el("span", { class: "finder-place" });
  element = el("div", { class: "body-content" }, el("p", { class: "quiet", role: "status" }, "Reading…"));

  constructor(blob, { contentType = null, facts = null, links = null, problem = null, terms = [] }) {
    this.#blob = blob;
    this.#terms = terms;
    this.#type = contentType?.split(";")[0].trim().toLowerCase() ?? "";
    this.#begin({ contentType, facts, links, problem });
  }

  /** Releases what the view holds. */
  end() {
    this.#ended = true;
    this.#find?.end();
    this.#view?.end?.();
  }

  async #begin({ contentType, facts, links, problem }) {
    const { views, text, remark } = await viewsOf(this.#blob, {
      type: this.#type, contentType, drawPart: (part, contentType) => new BodyContent(part, { contentType, terms: this.#terms }),
    });
    if (this.#ended) return;
    const buttons = views.map(({ name }) => el("button", {
      type: "button", class: "button small", "aria-pressed": "false", onclick: () => {
        picked.set(this.#type, name);
        pick(name);
      },
    }, name));
    const pick = (name) => {
      buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(views[index].name === name)));
      this.#show(views.find((one) => one.name === name));
    };
    const canCopy = text && this.#blob.size <= copyLimit;
    fill(this.element,
      el("div", { class: "toolbar" },
        el("div", { class: "segments", role: "group", "aria-label": "View of the body" }, buttons),
        el("span", { class: "quiet" }, facts),
        el("span", { class: "links" }, canCopy && copyButton(() => text.text(), "Copy"), links)),
      problem && el("p", { class: "problem" }, problem),
      remark && el("p", { class: "quiet remark" }, remark),
      this.#finder, this.#place);
    const wanted = picked.get(this.#type);
    pick(views.some(({ name }) => name === wanted) ? wanted : views[0].name);
  }

  #show({ make, searched }) {
    this.#find?.end();
    this.#view?.end?.();
    this.#find = null;
    try {
      this.#view = make();
    } catch (error) {
      this.#view = { element: el("p", { class: "problem" }, `This view cannot show the body: ${error.message}`) };
    }
    fill(this.#place, this.#view.element);
    if (searched) {
      const view = this.#view;
      this.#find = new Find(searched, { terms: this.#terms, on: { found: (hits, needles) => view.found(hits, needles), go: (hit) => view.go(hit) } });
    }
    fill(this.#finder, this.#find?.element);
  }
}
