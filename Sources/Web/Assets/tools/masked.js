import * as api from "./api.js";
import { el, fill } from "./dom.js";
import { count, counted } from "./format.js";

/** The report on a masked file of a filter's exchanges, asked for when it is shown: its reader knows before the file is given away. */
export class MaskedReport {
  element = el("div", { class: "masked", role: "status", "aria-label": "What is masked" });
  #abort = new AbortController();

  constructor(filter) { this.#ask(filter); }

  /** Stops the search. */
  end() { this.#abort.abort(); }

  async #ask(filter) {
    const say = (text) => fill(this.element, el("p", { class: "quiet" }, text));
    say("Looking for what is masked…");
    let report = null;
    try {
      await api.getLines(`export/report?${filter}`, {
        signal: this.#abort.signal,
        tell: (line) => {
          if (line.percent === undefined) report = line;
          else if (line.percent < 100) say(`Looking for what is masked… ${line.percent} %`);
        },
      });
      if (report) this.#draw(report);
      else say("The search for what is masked broke off.");
    } catch (error) {
      if (error.name !== "AbortError") fill(this.element, el("p", { class: "problem" }, error.message));
    }
  }

  #draw({ total, places, cutBodies, withheldBodies, unsearchedBodies, unsearchedMessages, forgetsSecrets }) {
    fill(this.element,
      el("p", {}, total === 0 ? "Nothing that looks like a secret was found." : [el("b", {}, counted(total, "value is", "values are")), " masked:"]),
      places.length > 0 && el("ul", { class: "masked-places" },
        places.map(({ place, count: number }) => el("li", {}, `${count(number)} × `, el("code", {}, place)))),
      cutBodies > 0 && el("p", {},
        `${counted(cutBodies, "body ends", "bodies end")} early: what could not be decoded, and so not searched, is left out.`),
      withheldBodies > 0 && el("p", {},
        `${counted(withheldBodies, "body is", "bodies are")} withheld: the content coding cannot be undone, so nothing could be searched.`),
      unsearchedBodies > 0 && el("p", {},
        `${counted(unsearchedBodies, "body is", "bodies are")} no text (pictures, archives, binary messages), and not searched as texts are.`),
      unsearchedMessages > 0 && el("p", {},
        `${counted(unsearchedMessages, "message is", "messages are")} no text, and not searched as texts are.`),
      forgetsSecrets && el("p", {}, "There were too many secrets to remember all: some are masked only where their names or forms give them away."));
  }
}
