import { el } from "./dom.js";
import { MessageTab } from "./message.js";

// Pixels of the pane from which on both sides stand beside each other.
const roomForBoth = 1_200;
const titles = { request: "Request", response: "Response" };

/** The request or the response, with the other side beside it where the pane has room for both: the request on the left. */
export class SidesView {
  element = el("div", { class: "message-sides" });
  #exchange;
  #side;
  #make;
  #tabs;
  #other = null;
  #size = new ResizeObserver(() => this.#fit());

  /** `side` is request or response. */
  constructor(exchange, side, context) {
    this.#exchange = exchange;
    this.#side = side;
    this.#make = (one) => new MessageTab(this.#exchange, one, context);
    this.#tabs = [this.#make(side)];
    this.element.append(section(side, this.#tabs[0]));
    this.#size.observe(this.element);
  }

  /** Takes the exchange as it is now; what has not changed stays, so that the reader keeps the place. */
  refresh(exchange) {
    this.#exchange = exchange;
    this.#tabs = this.#tabs.map((tab) => {
      if (tab.refresh(exchange)) return tab;
      tab.end();
      const next = this.#make(tab.side);
      tab.element.replaceWith(next.element);
      return next;
    });
  }

  /** Stops the work that is under way. */
  end() {
    this.#size.disconnect();
    for (const tab of this.#tabs) tab.end();
  }

  #fit() {
    const hasRoom = (this.element.closest(".detail")?.clientWidth ?? 0) >= roomForBoth;
    if (hasRoom === (this.#other !== null)) return;
    this.element.classList.toggle("both", hasRoom);
    if (!hasRoom) {
      this.#tabs.pop().end();
      this.#other.remove();
      this.#other = null;
      return;
    }
    const other = this.#side === "request" ? "response" : "request";
    this.#tabs.push(this.#make(other));
    this.#other = section(other, this.#tabs[1]);
    this.#other.classList.add("other-side");
    if (other === "request") this.element.prepend(this.#other);
    else this.element.append(this.#other);
  }
}

const section = (side, tab) =>
  el("div", { class: "message-side", role: "group", "aria-label": titles[side] }, el("h3", { class: "side-title" }, titles[side]), tab.element);
