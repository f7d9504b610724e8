import * as api from "./api.js";
import { copyButton, el, fill } from "./dom.js";
import { show } from "./dialog.js";
import { counted, shellWord } from "./format.js";
import { MaskedReport } from "./masked.js";
import * as preferences from "./preferences.js";
import { wholeText } from "./reading.js";

/** The forms of a file, each with its extension. */
const formats = [
  ["har", "HAR, for other tools", "har"], ["json", "JSON, everything recorded", "json"], ["jsonl", "JSON Lines, an exchange a line", "jsonl"],
  ["csv", "CSV, a row an exchange", "csv"], ["curl", "curl commands", "sh"], ["httpie", "HTTPie commands", "sh"], ["python", "Python program", "py"],
  ["swift", "Swift program", "swift"], ["javascript", "JavaScript module", "mjs"], ["postman", "Postman collection", "postman_collection.json"],
  ["raw", "Raw messages", "http"],
];

const href = (view, format, isRedacted) => {
  const parameters = new URLSearchParams(view.filter);
  parameters.set("format", format);
  parameters.set("redact", String(isRedacted));
  return api.href(`export?${parameters}`);
};

/** Offers the exchanges of the view as a file. */
export async function openExport({ view, counts, reading, instance }) {
  // Without an answer the words that select the file's exchanges are not known: then no command is shown.
  const text = await wholeText(view).catch(() => null);
  const preferred = preferences.get("export.format", "har");
  const choice = el("select", { id: "export-format" },
    formats.map(([name, title]) => el("option", { value: name, selected: name === preferred }, title)));
  const redact = el("input", { type: "checkbox", id: "export-redact", checked: preferences.get("export.redact", true) });
  const link = el("a", { class: "button primary", id: "export-save" }, "Save the file");
  const warning = el("p", { class: "problem" }, "The file holds passwords, tokens, cookies and keys: whoever has the file can use them.");
  const command = el("pre");
  const draw = () => {
    const [name, , ending] = formats.find(([one]) => one === choice.value);
    link.href = href(view, name, redact.checked);
    link.download = `capture.${ending}`;
    const words = [
      "inspect export", text && shellWord(text), instance.store && `--store ${shellWord(instance.store)}`,
      `--format ${name}`, redact.checked && "--redact", `-o capture.${ending}`,
    ];
    fill(command, words.filter(Boolean).join(" "));
    preferences.set("export.format", name);
    preferences.set("export.redact", redact.checked);
    warning.hidden = redact.checked;
  };
  choice.addEventListener("change", draw);
  redact.addEventListener("change", draw);
  draw();
  const dialog = show({
    title: "Export",
    body: [
      el("p", {}, `The ${counted(counts.matched, "exchange")} of this view, oldest first${reading.sentence ? `: ${reading.sentence}.` : "."}`),
      el("p", { class: "field" }, el("label", { for: "export-format" }, "Format"), choice),
      el("p", { class: "field" }, redact, el("label", { for: "export-redact" }, "Mask secrets: passwords, tokens, cookies, keys")),
      warning,
      text !== null && [
        el("p", { class: "quiet" }, "The same in a terminal"),
        el("div", { class: "command" }, command, copyButton(() => command.textContent)),
      ],
    ],
    actions: [link],
  });
  link.addEventListener("click", () => dialog.close());
  choice.focus();
}

/** Offers the view to be given away: as a file without secrets, and as a link that holds no token. */
export function openShare({ view, counts, reading }) {
  const link = new URL(view.href({}), location.href).href;
  const report = new MaskedReport(view.filter);
  const save = el("a", {
    class: "button primary", id: "share-save", href: href(view, "har", true), download: "for-sharing.har",
  }, "Save the masked HAR");
  const dialog = show({
    title: "Share",
    body: [
      el("h3", {}, "A file"),
      el("p", {}, `A HAR file of the ${counted(counts.matched, "exchange")} of this view${reading.sentence ? ` (${reading.sentence})` : ""}. `
        + "Passwords, tokens, cookies and keys are masked in the file; check it before you give it away."),
      report.element,
      el("p", {}, save),
      el("h3", {}, "A link to this view"),
      el("p", {}, "The link holds the filter and the chosen exchange, but not the token. It opens for everybody who has this page open already."),
      el("div", { class: "command" }, el("pre", { id: "share-link" }, link), copyButton(link, "Copy link")),
    ],
  });
  dialog.addEventListener("close", () => report.end());
  save.addEventListener("click", () => dialog.close());
  save.focus();
}
