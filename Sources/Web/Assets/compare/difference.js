import { el } from "./dom.js";
import { counted } from "./format.js";
import { lines as aligned } from "./line-diff.js";

// Unchanged lines that stay in sight round a change.
const context = 2;

/** Draws the differences between two exchanges: the lens's words first, then the heads line by line, then the bodies. */
export function drawDifference(comparison, left, right) {
  const { changes, differences, more, problem, notes, ignored, learnt } = comparison;
  const named = (what) => Object.entries(what).map(([name, number]) => `${name} (${number})`).join(", ");
  return [
    problem && el("p", { class: "problem" }, problem),
    changes.length > 0 && el("section", { class: "said" }, el("h3", {}, "What changed"),
      el("ul", {}, changes.map((one) => el("li", { class: "diff", tabindex: "-1" }, one)))),
    ["request", "response"].map((side) => part(side, differences.filter((one) => one.side === side), left, right)),
    more > 0 && el("p", { class: "quiet" }, `${counted(more, "more difference is", "more differences are")} not listed.`),
    notes.map((note) => el("p", { class: "quiet" }, note)),
    learnt.length > 0 && el("p", { class: "quiet" }, `Learnt to be noise: ${learnt.join(", ")}.`),
    Object.keys(ignored).length > 0 && el("p", { class: "quiet" }, `Passed over: ${named(ignored)}.`),
  ];
}

function part(side, differences, left, right) {
  const bodies = differences.filter(({ part }) => ["json", "text", "form", "body"].includes(part));
  const others = differences.filter(({ part }) => ["line", "query", "status", "field", "trailer"].includes(part));
  const heads = [left, right].map((exchange) => exchange?.[side]?.head ?? null);
  const number = differences.length === 0 ? "no relevant difference" : counted(differences.length, "difference");
  return el("section", { class: `side ${side}` },
    el("h3", {}, side === "request" ? "Request" : "Response", " ", el("span", { class: "quiet" }, number)),
    heads[0] !== null && heads[1] !== null ? head(heads[0], heads[1], others) : others.length > 0 && table(others, "What"),
    bodies.length > 0 && body(bodies));
}

/** Two heads beside each other; equal lines are folded, and lines that count as a difference are marked. */
function head(left, right, counted) {
  const rows = aligned(split(left), split(right));
  const isCounted = ([one, other], index) => index === 0 || counted.some(({ part, place }) => ["field", "trailer"].includes(part)
    && [one, other].some((line) => line?.toLowerCase().startsWith(`${place.toLowerCase()}:`)));
  const isShown = rows.map((_, index) => rows.slice(Math.max(0, index - context), index + context + 1).some(([one, other]) => one !== other));
  const elements = [];
  for (let index = 0; index < rows.length; index += 1) {
    if (isShown[index]) {
      elements.push(line(rows[index], rows[index][0] !== rows[index][1] && isCounted(rows[index], index)));
      continue;
    }
    const from = index;
    while (index + 1 < rows.length && !isShown[index + 1]) index += 1;
    elements.push(fold(rows.slice(from, index + 1)));
  }
  return el("div", { class: "beside", role: "table", "aria-label": "Heads side by side" }, elements);
}

function line([one, other], isDifference) {
  const isSame = one === other;
  const cell = (text, mark) => el("div", { role: "cell", class: isSame ? "" : text === null ? "none" : mark }, text === null ? "" : text || " ");
  return el("div", {
    role: "row", class: isDifference ? "pair diff" : isSame ? "pair" : "pair passed", tabindex: isDifference ? "-1" : null,
    title: !isSame && !isDifference ? "Differs, and counts as noise" : null,
  }, cell(one, "left-side"), cell(other, "right-side"));
}

function fold(rows) {
  const unfold = () => button.parentElement.replaceWith(...rows.map((row) => line(row, false)));
  const button = el("button", { type: "button", class: "fold-lines", onclick: unfold },
    counted(rows.length, "unchanged line"));
  return el("div", { role: "row", class: "pair folded-lines" }, el("div", { role: "cell" }, button));
}

/** The differences of two bodies; JSON as a tree of the parts that lead to a difference, without the rest. */
function body(differences) {
  const json = differences.filter(({ part }) => part === "json");
  const others = differences.filter(({ part }) => part !== "json");
  return el("div", { class: "body-diff" },
    json.length > 0 && el("div", { class: "json-diff" },
      el("p", { class: "quiet" }, "JSON; equal parts are left out"), branch(tree(json))),
    others.length > 0 && table(others, "Line"));
}

function tree(differences) {
  const root = { name: "$", children: new Map(), found: [] };
  for (const one of differences) {
    let node = root;
    for (const step of steps(one.place)) {
      if (!node.children.has(step)) node.children.set(step, { name: step, children: new Map(), found: [] });
      node = node.children.get(step);
      if (/^\[\d+\]$/.test(step) && one.subject && !node.subject) node.subject = one.subject;
    }
    node.found.push(one);
  }
  return root;
}

const step = /\.[^.[\]]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\]|\['(?:[^'\\]|\\.)*'\]|\.[^.[]*/g;

/** The steps of `$.items[3]["a b"].name`. */
export const steps = (place) => place.slice(1).match(step)?.map((one) => one.replace(/^\./, "")) ?? [];

function branch(node, above = null) {
  // A path without a fork is one line.
  let name = node.name;
  while (node.children.size === 1 && node.found.length === 0) {
    const [child] = node.children.values();
    name += child.name.startsWith("[") ? child.name : `.${child.name}`;
    node = { ...child, subject: child.subject ?? node.subject };
  }
  const head = [el("span", { class: "key" }, name), node.subject && node.subject !== above && el("span", { class: "quiet" }, ` ${node.subject}`)];
  const found = node.found.map((one) => change(one));
  if (node.children.size === 0) return el("div", { class: "leaf" }, head, found);
  return el("details", { open: true }, el("summary", {}, head, found),
    el("div", { class: "children" }, [...node.children.values()].map((child) => branch(child, node.subject ?? above))));
}

function change({ change: kind, left, right }) {
  return el("span", { class: `change diff ${kind}`, tabindex: "-1" }, el("span", { class: "spoken" }, `${kind}: `),
    left !== null && el("del", {}, left),
    left !== null && right !== null && el("span", { class: "quiet" }, " → "),
    right !== null && el("ins", {}, right));
}

function table(differences, title) {
  return el("table", { class: "fields differences" },
    el("thead", {}, el("tr", {}, [title, "Left", "Right"].map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, differences.map(({ part, place, change: kind, left, right }) => el("tr", { class: `diff ${kind}`, tabindex: "-1" },
      el("th", { scope: "row" }, part === "status" ? "status" : `${part} ${place}`),
      el("td", { class: left === null ? "none" : "left-side" }, left ?? ""),
      el("td", { class: right === null ? "none" : "right-side" }, right ?? "")))));
}

const split = (head) => head.replace(/(\r?\n)+$/, "").split(/\r?\n/);
