import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { count, time, url } from "./format.js";
import { listen } from "./stream.js";

const isDecrypted = (row) => ["https", "wss"].includes(row.scheme) && row.code !== null;
const isRefusal = (row) => row.failure?.side === "client" && row.failure?.phase === "tls";

// Milliseconds that what a row says is waited for after its row took the place of the first steps, and that a card stays when all is well.
const patience = 3000;
const farewell = 8000;
// Rows that one answer tells of what was missed, and answers that are asked for.
const missedLimit = 1000;
const missedAnswers = 20;

/** Two lights that turn green with the first request and the first decrypted request, and the likely problem when they stay dark. */
export class SetupCheck {
  #lights;
  #cause = el("p", { class: "cause", role: "alert", hidden: true });
  #end;
  /** The number of the newest exchange that was recorded before; null until that is known. */
  #before;
  #isLoose = false;
  #isEnded = false;

  /** `isFirst`: nothing was recorded yet, so any exchange that is there once changes are followed is the awaited one. */
  constructor({ isFirst = false } = {}) {
    this.#before = isFirst ? 0 : null;
    this.#lights = {
      request: light("Waiting for the first request…"),
      decrypted: light("Waiting for the first decrypted request (HTTPS)…"),
    };
    this.element = el("section", { class: "check", "aria-label": "Does it work?" },
      el("h3", {}, "Does it work?"),
      el("ul", { class: "lights", "aria-live": "polite" }, Object.values(this.#lights).map(({ element }) => element)),
      this.#cause);
    this.#end = listen("", {
      open: () => this.#before === null ? this.#tellBefore() : this.#seeMissed(),
      changes: ({ exchanges }) => {
        for (const row of [...exchanges].sort((a, b) => a.id - b.id)) this.#see(row);
        if (this.#isLoose) this.#float();
      },
      resync: () => this.#before !== null && this.#seeMissed(),
    });
  }

  close() {
    this.#isEnded = true;
    this.#end();
    this.element.closest(".first-steps")?.remove();
  }

  /** Stays in sight as a card when the list takes the place of the first steps before both lights are on. */
  follow(place) {
    const observer = new MutationObserver(() => {
      if (this.element.isConnected) return;
      observer.disconnect();
      this.#isLoose = true;
      if (this.#lights.request.isOn) this.#float();
      else setTimeout(() => this.#lights.request.isOn || this.close(), patience);
    });
    observer.observe(place, { childList: true });
  }

  #float() {
    if (this.#isEnded) return;
    const isDone = this.#lights.decrypted.isOn;
    if (!this.element.isConnected) {
      if (isDone) return this.close();
      const close = el("button", { type: "button", class: "button small", "aria-label": "Close the first steps", onclick: () => this.close() }, "✕");
      document.body.append(el("aside", { class: "first-steps", "aria-label": "First steps" }, this.element, close));
    } else if (isDone) setTimeout(() => this.close(), farewell);
  }

  #see(row) {
    if (row.replayOf) return;
    this.#lights.request.turn("The first request came", row);
    if (isDecrypted(row)) {
      this.#lights.decrypted.turn("The first decrypted request came", row);
      this.#cause.hidden = true;
    } else if (!this.#lights.decrypted.isOn) this.#explain(row);
  }

  #explain(row) {
    const cause = isRefusal(row)
      ? `A client refused this proxy's certificate for ${row.host}. `
        + "Most likely it does not trust the root certificate yet: install it, and start the client again. "
        + "Some apps trust only their own certificates (they pin them); those cannot be decrypted."
      : row.outcome === "tunnelled"
        ? `A connection to ${row.host} passed through unread: it carried neither HTTP nor TLS, or its host is passed through on purpose.`
        : row.outcome === "failed" && row.failure ? `A request came and failed: ${row.failure.message}` : null;
    if (!cause) return;
    this.#cause.hidden = false;
    fill(this.#cause, cause, " ", el("a", { href: `/exchanges/${row.id}` }, "See it"),
      isRefusal(row) && [" ", el("a", { href: "/setup" }, "How to install it")]);
  }

  /** Finds exchanges that no change told of. */
  async #seeMissed() {
    try {
      let from = this.#before;
      for (let asked = 0; from !== null && asked < missedAnswers && !this.#lights.decrypted.isOn && !this.#isEnded; asked++) {
        const { exchanges, next } = await api.get(`search?limit=${missedLimit}&newer=${from}`);
        for (const row of exchanges.toReversed()) this.#see(row);
        if (this.#isLoose && exchanges.length) this.#float();
        from = next === null ? null : exchanges[0]?.id ?? null;
      }
    } catch {
      // The lights say what they say.
    }
  }

  /** Says how much was recorded before, so that nobody takes an old request for the awaited one. */
  async #tellBefore() {
    try {
      const { total, exchanges: [newest] } = await api.get("exchanges?limit=1&facets=false");
      this.#before ??= newest?.id ?? 0;
      if (total > 0 && !this.#lights.request.isOn) this.#lights.request.wait(`Waiting for the next request… (${count(total)} recorded before)`);
      if (total > 0 && !this.#lights.decrypted.isOn) this.#lights.decrypted.wait("Waiting for the next decrypted request (HTTPS)…");
    } catch {
      // The lights say what they say.
    }
  }
}

function light(text) {
  const words = el("span", {}, text);
  const element = el("li", { class: "light" }, words);
  const one = {
    element,
    isOn: false,
    wait: (waiting) => fill(words, waiting),
    turn: (seen, row) => {
      if (one.isOn) return;
      one.isOn = true;
      element.classList.add("on");
      const request = `${row.method} ${url(row)}`;
      fill(words, `${seen} at ${time(row.started)}: `, el("a", { href: `/exchanges/${row.id}` }, request));
    },
  };
  return one;
}
