import { byId } from "./dom.js";
import { isAge, moment } from "./slots.js";

/** The window of time: the last so many minutes, or between two moments. */
export class TimeWindow {
  #view;

  constructor({ view }) {
    this.#view = view;
    view.addEventListener("filter", () => this.#draw());
    byId("window").addEventListener("change", ({ target }) => {
      const isBetween = target.value === "between";
      byId("between").hidden = !isBetween;
      if (isBetween) byId("since").focus();
      else view.change({ since: target.value, before: "" });
    });
    for (const id of ["since", "before"]) {
      byId(id).addEventListener("change", () => {
        const [since, before] = ["since", "before"].map((one) => byId(one).value && new Date(byId(one).value).toISOString());
        view.change({ since, before });
      });
    }
    this.#draw();
  }

  focus() { byId("window").focus(); }

  #draw() {
    const { since, before } = this.#view;
    const select = byId("window");
    const isListed = [...select.options].some((option) => option.value === since);
    const isBetween = Boolean(before) || !isListed;
    select.value = isBetween ? "between" : since;
    byId("between").hidden = !isBetween;
    if (!isBetween) return;
    byId("since").value = localText(since);
    byId("before").value = localText(before);
  }
}

/** A time of the address as an input for local times takes it. */
function localText(text) {
  const date = new Date(isAge(text) ? NaN : moment(text));
  if (Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
