import { Refusal, Unreachable } from "./api.js";

/** The line under the bar that says what went wrong, or what was done. */
export class Notice {
  #element;
  #isRefusal = false;

  constructor(element) { this.#element = element; }

  /** Says a sentence; null takes it away. */
  say(sentence) {
    this.#isRefusal = false;
    this.#element.hidden = !sentence;
    this.#element.textContent = sentence ?? "";
  }

  /** Says what went wrong; without the token nothing here works any more. */
  refuse(error) {
    const isFault = !(error instanceof Refusal || error instanceof Unreachable);
    if (isFault) console.error(error);
    this.say(isFault ? `This page has a fault: ${error.message}` : error.message);
    this.#isRefusal = true;
  }

  /** Takes away what went wrong, now that it goes well; what was done stays said. */
  recover() {
    if (this.#isRefusal) this.say(null);
  }
}
