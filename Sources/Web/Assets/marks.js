import * as api from "./api.js";
import { el } from "./dom.js";

/** Changes what people say of an exchange; what changes comes back as a live event. */
export async function changeMarks(exchange, changes, notice) {
  try {
    await api.post(`marks?${new URLSearchParams({ q: `id:${exchange.id}` })}`, changes);
    notice(null);
  } catch (error) {
    notice(error.message);
  }
}

/** What people say of an exchange, and the means to say it: favourite, tags, a note. */
export function marksView(exchange, notice) {
  const change = (changes) => changeMarks(exchange, changes, notice);
  const tag = el("input", { type: "text", id: "new-tag", maxlength: 64, autocomplete: "off", spellcheck: "false", placeholder: "slow" });
  const note = el("textarea", { id: "note", rows: 2, maxlength: 10000 });
  note.value = exchange.note ?? "";
  const submits = (does) => (event) => {
    event.preventDefault();
    does();
  };
  return el("section", { class: "marks" },
    el("h3", {}, "Marks"),
    el("p", {},
      el("button", {
        type: "button", class: "button small favourite", "aria-pressed": String(exchange.favourite),
        onclick: () => change({ favourite: !exchange.favourite }),
      }, exchange.favourite ? "★ Favourite" : "☆ Favourite"),
      exchange.tags.map((name) => el("span", { class: "chip" }, name,
        el("button", { type: "button", "aria-label": `Remove the tag ${name}`, onclick: () => change({ remove: [name] }) }, "✕"))),
    ),
    el("form", { onsubmit: submits(() => tag.value.trim() && change({ add: tag.value.trim().split(/[\s,]+/) })) },
      el("label", { for: "new-tag" }, "Add a tag"), tag, el("button", { class: "button small" }, "Add")),
    el("form", { onsubmit: submits(() => change({ note: note.value.trim() })) },
      el("label", { for: "note" }, "Note"), note, el("button", { class: "button small" }, "Save the note")),
  );
}

/** The marks of a row of the list: those that always show, and its tags. */
export function rowMarks(row) {
  return {
    marks: [
      row.favourite && el("span", { class: "mark favourite", title: "Favourite", role: "img", "aria-label": "Favourite" }, "★"),
      row.note && el("span", { class: "mark note", title: row.note, role: "img", "aria-label": "Has a note" }, "✎"),
    ],
    tags: row.tags.map((name) => el("span", { class: "tag" }, name)),
  };
}
