import * as api from "./api.js";
import { el, fill } from "./dom.js";

/** Changes the tags, note or favourite mark of an exchange; the change comes back as a live event. Returns whether it was done. */
export async function changeMarks(exchange, changes, notice) {
  try {
    await api.post(`marks?${new URLSearchParams({ q: `id:${exchange.id}` })}`, changes);
    notice(null);
    return true;
  } catch (error) {
    notice(error.message);
    return false;
  }
}

/** The favourite mark, tags and note of an exchange, with the controls to change them. */
export class Marks {
  #exchange;
  #notice;
  #favourite = el("button", {
    type: "button", class: "button small favourite", onclick: () => this.#change({ favourite: !this.#exchange.favourite }),
  });
  #tags = el("span", { class: "tags" });
  #tag = el("input", { type: "text", id: "new-tag", maxlength: 64, autocomplete: "off", spellcheck: "false", placeholder: "slow" });
  #note = el("textarea", { id: "note", rows: 2, maxlength: 10000 });
  element = el("section", { class: "marks" },
    el("h3", {}, "Marks"),
    el("p", {}, this.#favourite, this.#tags),
    this.#form("Add a tag", this.#tag, "Add", () => this.#add()),
    this.#form("Note", this.#note, "Save the note", () => this.#change({ note: this.#note.value.trim() })));

  constructor(exchange, notice) {
    this.#notice = notice;
    this.#exchange = exchange;
    this.#note.value = exchange.note ?? "";
    this.#draw();
  }

  /** Shows the present marks; a text that somebody is writing stays. */
  refresh(exchange) {
    const isWritten = this.#note.value.trim() !== (this.#exchange.note ?? "");
    this.#exchange = exchange;
    if (!isWritten) this.#note.value = exchange.note ?? "";
    this.#draw();
  }

  #draw() {
    const { favourite, tags } = this.#exchange;
    this.#favourite.setAttribute("aria-pressed", String(favourite));
    this.#favourite.textContent = favourite ? "★ Favourite" : "☆ Favourite";
    fill(this.#tags, tags.map((name) => el("span", { class: "chip" }, name,
      el("button", { type: "button", "aria-label": `Remove the tag ${name}`, onclick: () => this.#change({ remove: [name] }) }, "✕"))));
  }

  #form(label, control, act, does) {
    const submit = (event) => {
      event.preventDefault();
      does();
    };
    return el("form", { onsubmit: submit }, el("label", { for: control.id }, label), control, el("button", { class: "button small" }, act));
  }

  async #add() {
    const names = this.#tag.value.trim();
    if (names && await this.#change({ add: names.split(/[\s,]+/) }) && this.#tag.value.trim() === names) this.#tag.value = "";
  }

  #change(changes) { return changeMarks(this.#exchange, changes, this.#notice); }
}

/** The mark of a row that rules touched, which names them; nothing where none did. */
function ruleMark({ ruleNames, modified }) {
  if (!ruleNames?.length) return null;
  const says = `${modified ? "Changed by" : "Touched, not changed, by"} ${ruleNames.length > 1 ? "the rules" : "the rule"} ${ruleNames.join(", ")}`;
  return el("span", { class: modified ? "mark by-rule modified" : "mark by-rule", title: says, role: "img", "aria-label": says }, "⚙");
}

/** The marks of a row of the list: those that always show, and its tags. */
export function rowMarks(row) {
  return {
    marks: [
      row.favourite && el("span", { class: "mark favourite", title: "Favourite", role: "img", "aria-label": "Favourite" }, "★"),
      row.note && el("span", { class: "mark note", title: row.note, role: "img", "aria-label": "Has a note" }, "✎"),
      ruleMark(row),
    ],
    tags: row.tags.map((name) => el("span", { class: "tag" }, name)),
  };
}
