import * as api from "./api.js";
import { labelled, ticked } from "./controls.js";
import { drawDifference } from "./difference.js";
import * as dialog from "./dialog.js";
import { el, fill } from "./dom.js";
import { exchangeLink, link } from "./links.js";
import { comparing } from "./compare.js";
import { refused } from "./refused.js";
import { RequestBody } from "./request-body.js";
import { RequestDraft } from "./request-draft.js";

/** Opens the form that edits an exchange's request and sends it. */
export const openEdit = (view, exchange) => new EditForm(view, exchange);

class EditForm {
  #view; #exchange; #draft; #dialog; #form; #result; #problem; #query; #fields; #body;
  #isRaw = false;

  constructor(view, exchange) {
    this.#view = view;
    this.#exchange = exchange;
    this.#draft = new RequestDraft(exchange);
    this.#body = new RequestBody(exchange);
    this.#problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.#result = el("div", { class: "replay-result", "aria-live": "polite" });
    this.#form = el("form", { class: "edit-form", onsubmit: (event) => {
      event.preventDefault();
      this.#send();
    } });
    this.#draw();
    this.#dialog = dialog.show({ title: `Edit and replay exchange ${exchange.id}`, body: [this.#form, this.#result], className: "replay" });
    this.#form.querySelector("input")?.focus();
  }

  #draw() {
    const draft = this.#draft;
    fill(this.#form,
      this.#isRaw ? this.#raw() : [
        el("div", { class: "start-line" },
          labelled("Method", [
            el("input", {
              type: "text", name: "method", value: draft.method, size: 8, list: "methods", spellcheck: "false",
              oninput: (event) => { draft.method = event.target.value.trim(); },
            }),
            el("datalist", { id: "methods" }, ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((value) => el("option", { value }))),
          ]),
          labelled("Address, without the query", el("input", {
            type: "text", name: "address", value: draft.address, spellcheck: "false", autocomplete: "off",
            onchange: (event) => this.#setAddress(event.target),
          }), { class: "control grow" })),
        this.#query = this.#table("Query", "query item", draft.query, (row) => { delete row.text; }),
        this.#fields = this.#table("Fields", "field", draft.fields, (row) => { delete row.text; }),
      ],
      this.#body.element,
      el("div", { class: "controls" },
        ticked("Write the whole head by hand", el("input", {
          type: "checkbox", name: "raw", checked: this.#isRaw, onchange: (event) => this.#setRaw(event.target.checked),
        })),
        ticked("Send the captured credentials to another origin too", el("input", {
          type: "checkbox", name: "credentials", checked: draft.sendsCredentials,
          onchange: (event) => { draft.sendsCredentials = event.target.checked; },
        }))),
      this.#problem,
      el("div", { class: "controls" },
        el("button", { class: "button primary" }, "Send"),
        el("button", { type: "button", class: "button", onclick: () => this.#dialog.close() }, "Cancel")));
  }

  #setAddress(input) {
    const problem = this.#draft.setAddress(input.value);
    this.#say(problem);
    if (problem) return;
    const table = this.#table("Query", "query item", this.#draft.query, (row) => { delete row.text; });
    this.#query.replaceWith(table);
    this.#query = table;
    input.value = this.#draft.address;
  }

  /** Rows of names and values that can be edited, moved, added and removed. */
  #table(title, noun, rows, touched) {
    const body = el("tbody", {});
    const draw = () => fill(body, rows.map((row, index) => {
      const edit = (part) => (event) => {
        row[part] = event.target.value;
        touched(row);
      };
      const named = (what) => `${what} ${noun} ${index + 1}`;
      const button = (words, attributes, text) =>
        el("button", { type: "button", class: "button small", "aria-label": words, ...attributes }, text);
      const move = (step) => button(`${named("Move")} ${step < 0 ? "up" : "down"}`, { disabled: !(index + step in rows), onclick: () => {
        [rows[index], rows[index + step]] = [rows[index + step], rows[index]];
        draw();
      } }, step < 0 ? "↑" : "↓");
      const box = (part, attributes) => el("input", {
        type: "text", value: row[part] ?? "", "aria-label": named(part === "name" ? "Name of" : "Value of"), spellcheck: "false",
        oninput: edit(part), ...attributes,
      });
      return el("tr", {},
        el("td", {}, box("name")),
        el("td", { class: "wide-cell" }, box("value", { placeholder: row.value === null ? "no value" : null })),
        el("td", { class: "row-tools" }, move(-1), move(1), button(named("Remove"), { onclick: () => {
          rows.splice(index, 1);
          draw();
        } }, "✕")));
    }));
    draw();
    const add = el("button", { type: "button", class: "button small", onclick: () => {
      rows.push({ name: "", value: "" });
      draw();
      body.lastElementChild.querySelector("input").focus();
    } }, `Add a ${noun}`);
    return el("fieldset", { class: "rows-of" }, el("legend", {}, title), el("table", { role: "presentation" }, body), add);
  }

  #raw() {
    const box = el("textarea", { name: "head", rows: 12, spellcheck: "false", oninput: () => { this.#draft.raw = box.value; } });
    box.value = this.#draft.raw;
    return labelled(`Head, sent to ${this.#draft.origin}`, box);
  }

  #setRaw(isRaw) {
    this.#isRaw = isRaw;
    this.#draft.raw = isRaw ? this.#draft.head.replaceAll("\r\n", "\n").replace(/\n+$/, "") : null;
    this.#draw();
  }

  #say(sentence) {
    this.#problem.hidden = !sentence;
    this.#problem.textContent = sentence ?? "";
  }

  async #send() {
    const address = this.#form.elements.address;
    const problem = (address && this.#draft.setAddress(address.value)) || this.#draft.problem;
    this.#say(problem);
    if (problem) return;
    const button = this.#form.querySelector(".primary");
    [button.disabled, button.textContent] = [true, "Sending…"];
    try {
      const replay = await api.post(`exchanges/${this.#exchange.id}/replay`, { ...this.#draft.edits, ...await this.#body.edits() });
      await this.#show(replay);
    } catch (error) {
      this.#say(refused(error.message, error.wayOut));
    }
    [button.disabled, button.textContent] = [false, "Send"];
  }

  /** Shows the new answer beside the recorded one. */
  async #show({ id, heldBack, notes }) {
    const original = this.#exchange.id;
    const [left, right, { comparisons: [comparison] }] = await Promise.all([
      api.get(`exchanges/${original}`), api.get(`exchanges/${id}`), api.get(`diff?left=${original}&right=${id}`),
    ]);
    const closing = (element) => {
      element.addEventListener("click", () => this.#dialog.close());
      return element;
    };
    fill(this.#result,
      el("h3", {}, "Sent as ", closing(exchangeLink(this.#view, id)), ": ", right.code ?? right.outcome, " ",
        closing(link(this.#view, comparing(original, id), { class: "button small" }, "Open in Compare"))),
      right.failure && el("p", { class: "problem" }, right.failure.message),
      heldBack.length > 0 && el("p", { class: "quiet" }, `Held back from the other origin: ${heldBack.join(", ")}.`),
      notes.map((note) => el("p", { class: "quiet" }, note)),
      comparison.verdict === "same"
        ? el("p", { class: "same" }, "The answer has no relevant difference.")
        : drawDifference(comparison, left, right));
    this.#result.firstChild.scrollIntoView({ block: "start" });
  }
}
