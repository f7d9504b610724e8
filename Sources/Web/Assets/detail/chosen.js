import * as api from "./api.js";
import { Detail } from "./detail.js";
import { byId } from "./dom.js";
import { terms } from "./highlight.js";
import { toExchange } from "./links.js";
import { Split } from "./split.js";

// Milliseconds that a walk by keys rests on a row before its exchange is asked for, and a changed exchange before it is asked for again.
const restByKey = 80;
const restAfterChange = 100;
// Milliseconds that a search which is being typed rests before its words are marked in the pane, which draws the shown part anew.
const restAfterTyping = 1_000;

/** The pane of the chosen exchange: asked for when it is chosen, and again when it changes. */
export class Chosen {
  #view;
  #detail;
  #split = new Split();
  #timer = 0;
  /** The number of questions so far, and the number of the question whose answer is shown. */
  #asked = 0;
  #shown = 0;

  constructor({ view, notice, instance, filters, edit }) {
    this.#view = view;
    this.#detail = new Detail(byId("detail"), {
      instance,
      on: {
        close: () => this.close(),
        choose: (id) => this.choose(id),
        edit,
        show: (id, where) => view.change(toExchange(id, where)),
        notice: (sentence) => notice.say(sentence),
        tab: (tab) => view.change({ tab }, { replacing: true }),
        turn: () => this.#split.turn(),
        menu: (exchange, at) => filters.open(exchange, at),
        onlyHost: (exchange) => filters.onlyHost(exchange),
      },
    });
    view.addEventListener("filter", () => this.#soon(document.activeElement === byId("query") ? restAfterTyping : restAfterChange));
    view.addEventListener("chosen", () => this.#soon(0));
    view.addEventListener("tab", () => this.#soon(0));
    this.#show();
  }

  /** Chooses an exchange, or none; a walk by keys does not fill the history. */
  choose(id, { byKey = false } = {}) {
    if (id === this.#view.chosen) return;
    this.#view.change({ chosen: id }, { replacing: byKey && this.#view.chosen !== null });
    this.#soon(byKey ? restByKey : 0);
  }

  /** Closes the pane; the focus goes back to the list. */
  close() {
    const hadFocus = byId("detail").contains(document.activeElement);
    this.choose(null);
    if (hadFocus) (document.querySelector("[role=grid]") ?? byId("rows")).focus();
  }

  /**
   * Does what a key asks of the pane: favourite, tag, note, find, filter, only-host, replay, side, copy-url, copy-curl,
   * next-tab, previous-tab, or tab-NAME.
   *
   * Returns whether an exchange was shown.
   */
  does(action) {
    if (this.#view.chosen === null) return false;
    const detail = this.#detail;
    // The exchange that was shown before stays until the answer for the chosen one, and gives no filter meanwhile.
    if (["filter", "only-host"].includes(action) && detail.id !== this.#view.chosen) return true;
    const actions = {
      favourite: () => detail.favourite(), tag: () => detail.write("tag"), note: () => detail.write("note"), find: () => detail.find(),
      replay: () => detail.replay(), side: () => this.#split.turn(), "copy-url": () => detail.copy("url"), "copy-curl": () => detail.copy("curl"),
      filter: () => detail.filter(), "only-host": () => detail.onlyHost(), "next-tab": () => detail.turn(1), "previous-tab": () => detail.turn(-1),
    };
    if (action.startsWith("tab-")) detail.turn(action.slice(4));
    else actions[action]?.();
    return true;
  }

  /** Asks again when the shown exchange is among those that changed; null means any. */
  changed(ids) {
    if (this.#view.chosen === null || ids?.includes(this.#view.chosen) === false) return;
    // An exchange that changes without a pause is asked for at that pace.
    if (!this.#timer) this.#soon(restAfterChange);
  }

  #soon(rest) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#show();
    }, rest);
  }

  async #show() {
    const id = this.#view.chosen;
    const isOpen = id !== null;
    byId("detail").hidden = !isOpen;
    byId("split").hidden = !isOpen;
    document.body.classList.toggle("detail-open", isOpen);
    document.title = isOpen ? `${id} · inspect` : "inspect";
    if (!isOpen) {
      this.#detail.clear();
      return;
    }
    const asked = this.#asked += 1;
    const take = (show) => {
      // An earlier answer never replaces a later one.
      if (this.#view.chosen !== id || asked < this.#shown) return;
      this.#shown = asked;
      show();
    };
    try {
      const exchange = await api.get(`exchanges/${id}`);
      take(() => this.#detail.show(exchange, this.#view.tab, terms(this.#view.text)));
    } catch (error) {
      take(() => this.#detail.refuse(error.message));
    }
  }
}
