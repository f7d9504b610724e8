import * as api from "./api.js";
import { copyButton, el, fill } from "./dom.js";
import { SetupCheck } from "./setup-check.js";
import { commands, visitorSystem, ways, whereabouts } from "./setup-ways.js";

let made = 0;

/**
 * How to send traffic through this proxy, for each kind of client, with a check that it works: a place of the page, and what an empty store shows.
 */
export class Setup {
  title = "Set up";
  #instance;
  #check = null;

  constructor({ instance }) { this.#instance = instance; }

  open() {
    this.#check?.close();
    this.#check = new SetupCheck();
    return setupView(this.#instance, this.#check, "Send traffic here");
  }

  close() {
    this.#check?.close();
    this.#check = null;
  }
}

/** The whole of it under a heading. */
export function setupView(instance, check, heading) {
  const at = whereabouts(instance);
  const address = at.far[0] && at.far[0] !== at.near ? [code(at.near), " on this machine, ", code(at.far[0]), " from others"] : code(at.near);
  return el("div", { class: "setup" },
    el("h2", { tabindex: "-1" }, heading),
    el("p", {}, "Point a client at the proxy ", address, " and have the client trust the root certificate. Its requests appear here at once."),
    check.element,
    quick(commands(instance)),
    tabs(...ways(at, visitorSystem(navigator))),
    certificate(instance),
    el("p", { class: "quiet" }, "No client at hand? ", code("inspect demo"), " shows everything by itself."));
}

const code = (text) => el("code", {}, text);

/** What inspect itself does in one command, before what a hand does. */
function quick(list) {
  if (!list.length) return null;
  return el("section", { class: "quick" }, el("h3", {}, "On this machine, by one command"),
    list.map(({ title, line }) => [el("span", {}, title), command(line)]));
}

const command = (text) => el("div", { class: "command" }, el("pre", {}, text), copyButton(text));

function certificate({ caFile, caBundleFile, caFingerprint }) {
  return el("section", { class: "certificate" },
    el("h3", {}, "The root certificate"),
    el("p", {},
      el("a", { class: "button", href: api.href("ca.pem"), download: "inspect-root.pem" }, "Download PEM"), " ",
      el("a", { class: "button", href: api.href("ca.der"), download: "inspect-root.der" }, "Download DER"), " ",
      el("span", { class: "quiet" }, "Most programs take PEM; Android and Windows also DER. Its key never leaves this machine.")),
    el("dl", {},
      caBundleFile && [
        el("dt", {}, "With this machine's roots"),
        el("dd", {}, code(caBundleFile), " ", copyButton(caBundleFile), " for a program that takes one file and trusts nothing else"),
      ],
      el("dt", {}, "Alone"), el("dd", {}, code(caFile), " ", copyButton(caFile), " for a program that adds it to its own roots"),
      caFingerprint && [el("dt", {}, "SHA-256"), el("dd", {}, code(caFingerprint))]));
}

/** One kind of client at a time, the given one at first: tabs that arrow keys walk (ARIA Authoring Practices). */
function tabs(kinds, first) {
  const id = `setup-${made += 1}`;
  const panel = el("div", { role: "tabpanel", id: `${id}-panel`, class: "steps", tabindex: "0" });
  const buttons = kinds.map(({ name, title }) => el("button", {
    type: "button", role: "tab", id: `${id}-${name}`, "data-name": name, "aria-controls": panel.id, onclick: () => choose(name),
  }, title));
  const choose = (name) => {
    for (const button of buttons) {
      const isIt = button.dataset.name === name;
      button.setAttribute("aria-selected", String(isIt));
      button.tabIndex = isIt ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", `${id}-${name}`);
    fill(panel, kinds.find((kind) => kind.name === name).steps.map(step));
  };
  const list = el("div", {
    role: "tablist", class: "ways", "aria-label": "Kinds of clients",
    onkeydown: (event) => {
      const at = buttons.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      const button = buttons.at(to % buttons.length);
      button.focus();
      choose(button.dataset.name);
    },
  }, buttons);
  choose(first);
  return el("div", { class: "kinds" }, list, panel);
}

function step({ title, note, lines }) {
  const text = lines?.join("\n");
  return el("section", {}, el("h3", {}, title), note && el("p", {}, note),
    text && command(text));
}
