import { byId } from "./dom.js";
import * as preferences from "./preferences.js";

const least = { beside: 320, below: 160 };
const leastList = { beside: 360, below: 140 };
const step = 24;

/** The place of the detail, beside the list or below it, and its size: set by pointer or keys, and remembered. */
export class Split {
  #split = byId("split");
  #main = byId("main");
  #sizes = { beside: preferences.get("detail-width", null), below: preferences.get("detail-height", null) };

  constructor() {
    const split = this.#split;
    split.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      split.setPointerCapture(event.pointerId);
      const move = (moved) => {
        const bounds = this.#main.getBoundingClientRect();
        this.#size(this.#isBelow ? bounds.bottom - moved.clientY : bounds.right - moved.clientX);
      };
      const stop = () => {
        split.removeEventListener("pointermove", move);
        this.#keep();
      };
      split.addEventListener("pointermove", move);
      split.addEventListener("pointerup", stop, { once: true });
      split.addEventListener("pointercancel", stop, { once: true });
    });
    split.addEventListener("keydown", (event) => {
      const [more, less] = this.#isBelow ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
      const by = { [more]: step, [less]: -step, Home: Infinity, End: -Infinity }[event.key];
      if (!by) return;
      event.preventDefault();
      this.#size(this.#present + by);
      this.#keep();
    });
    split.addEventListener("dblclick", () => {
      this.#sizes[this.#side] = null;
      this.#draw();
      this.#keep();
    });
    document.body.classList.toggle("detail-below", preferences.get("detail-below", false) === true);
    this.#draw();
  }

  /** Puts the detail below the list when it is beside it, and beside it when it is below. */
  turn() {
    preferences.set("detail-below", document.body.classList.toggle("detail-below"));
    this.#draw();
  }

  get #isBelow() { return document.body.classList.contains("detail-below"); }
  get #side() { return this.#isBelow ? "below" : "beside"; }
  get #present() { return this.#isBelow ? byId("detail").offsetHeight : byId("detail").offsetWidth; }

  #size(wanted) {
    const room = this.#isBelow ? this.#main.clientHeight : this.#main.clientWidth;
    this.#sizes[this.#side] = Math.round(Math.max(least[this.#side], Math.min(room - leastList[this.#side], wanted)));
    this.#draw();
  }

  #draw() {
    for (const [side, name] of [["beside", "--detail"], ["below", "--detail-height"]]) {
      const size = this.#sizes[side];
      if (typeof size === "number") this.#main.style.setProperty(name, `${size}px`);
      else this.#main.style.removeProperty(name);
    }
    this.#split.setAttribute("aria-orientation", this.#isBelow ? "horizontal" : "vertical");
    this.#split.setAttribute("aria-label", this.#isBelow ? "Height of the detail pane" : "Width of the detail pane");
    const size = this.#sizes[this.#side];
    if (typeof size === "number") this.#split.setAttribute("aria-valuenow", String(size));
    else this.#split.removeAttribute("aria-valuenow");
  }

  #keep() {
    preferences.set("detail-width", this.#sizes.beside);
    preferences.set("detail-height", this.#sizes.below);
  }
}
