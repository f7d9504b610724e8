import { byId } from "./dom.js";

const least = 320;
const leastList = 360;
const step = 24;

/** Lets the reader set the detail's width, by pointer or by arrow keys. */
export function wireSplit() {
  const split = byId("split");
  const setWidth = (width) => {
    const bounded = Math.min(innerWidth - leastList, Math.max(least, width));
    byId("main").style.setProperty("--detail", `${bounded}px`);
  };
  split.addEventListener("pointerdown", (event) => {
    split.setPointerCapture(event.pointerId);
    const move = (moved) => setWidth(innerWidth - moved.clientX);
    split.addEventListener("pointermove", move);
    split.addEventListener("pointerup", () => split.removeEventListener("pointermove", move), { once: true });
  });
  split.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: step, ArrowRight: -step }[event.key];
    if (by) setWidth(byId("detail").offsetWidth + by);
  });
}
