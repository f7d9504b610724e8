import { Refusal, Unreachable } from "./api.js";

/** The line under the bar that tells a mistake, or what was done. */
export class Notice {
  #element;
  #isRefusal = false;

  constructor(element) { this.#element = element; }

  /** Shows a sentence; null removes it. */
  say(sentence) {
    this.#isRefusal = false;
    this.#element.hidden = !sentence;
    this.#element.textContent = sentence ?? "";
  }

  /** Shows an error; without the token nothing on the page works any more. */
  refuse(error) {
    const isFault = !(error instanceof Refusal || error instanceof Unreachable);
    if (isFault) console.error(error);
    this.say(isFault ? `This page has a fault: ${error.message}` : error.message);
    this.#isRefusal = true;
  }

  /** Removes an error after a success; a sentence about what was done stays. */
  recover() {
    if (this.#isRefusal) this.say(null);
  }
}
