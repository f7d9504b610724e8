import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { count, time, url } from "./format.js";

const isDecrypted = (row) => ["https", "wss"].includes(row.scheme) && row.code !== null;
const isRefusal = (row) => row.failure?.side === "client" && row.failure?.phase === "tls";

/** Two lights that turn green with the first request and the first one that was decrypted, and what is likely wrong when neither does. */
export class SetupCheck {
  #lights;
  #cause = el("p", { class: "cause", role: "alert", hidden: true });
  #end;

  constructor() {
    this.#lights = {
      request: light("Waiting for the first request…"),
      decrypted: light("Waiting for the first decrypted request (HTTPS)…"),
    };
    this.element = el("section", { class: "check", "aria-label": "Does it work?" },
      el("h3", {}, "Does it work?"),
      el("ul", { class: "lights", "aria-live": "polite" }, Object.values(this.#lights).map(({ element }) => element)),
      this.#cause);
    this.#end = api.listen("", {
      open: () => this.#tellBefore(),
      changes: ({ exchanges }) => {
        if (!this.element.isConnected) return this.close();
        for (const row of [...exchanges].sort((a, b) => a.id - b.id)) this.#see(row);
      },
      resync: () => {},
      lost: () => {},
    });
  }

  close() { this.#end(); }

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
      ? `A client refused this proxy's certificate for ${row.host}. Most likely it does not trust the root certificate yet: install it as shown here, and start the client again. `
        + "Some apps trust only their own certificates (they pin them); those cannot be decrypted."
      : row.outcome === "tunnelled"
        ? `A connection to ${row.host} passed through unread: what it spoke is neither HTTP nor TLS, or its host is passed through on purpose.`
        : row.outcome === "failed" && row.failure ? `A request came and failed: ${row.failure.message}` : null;
    if (!cause) return;
    this.#cause.hidden = false;
    fill(this.#cause, cause, " ", el("a", { href: `/exchanges/${row.id}` }, "See it"));
  }

  /** Says what was recorded before, so that nobody takes an old request for the one that is awaited. */
  async #tellBefore() {
    try {
      const { total } = await api.get("exchanges?limit=0&facets=false");
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
      fill(words, `${seen} at ${time(row.started)}: `, el("a", { href: `/exchanges/${row.id}` }, `${row.method} ${url(row)}`));
    },
  };
  return one;
}
