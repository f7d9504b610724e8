import * as address from "./address.js";
import * as api from "./api.js";
import { Detail } from "./detail.js";
import { byId, el, fill } from "./dom.js";
import { count } from "./format.js";
import { List } from "./list.js";
import { Rail } from "./rail.js";
import { nothing, welcome } from "./welcome.js";

const pageLength = 200;
const countEvery = 250;

let state = address.read();
let instance = null;
let totals = { total: 0, matched: 0 };
let endEvents = () => {};
let fresh = 0;
let isStale = false;
let isLoadingOlder = false;
let listing = new AbortController();
let countTimer = 0;
let countedAt = 0;
let detailTimer = 0;
let completeTimer = 0;

const list = new List(byId("rows"), { choose, older: loadOlder, top: forgetFresh });
const rail = new Rail(byId("rail"), { onToggle: toggle, onClear: (name) => select(name, []) });
const detail = new Detail(byId("detail"), {
  close: () => choose(null), choose: (id) => choose(id, { byKey: false }), notice,
  tab: (tab) => {
    state.tab = tab;
    address.write(state, { replacing: true });
  },
});

start();

async function start() {
  wire();
  drawInputs();
  try {
    instance = await api.get("instance");
    detail.canReplay = instance.recording;
    drawGaps();
  } catch (error) {
    refuse(error);
    return;
  }
  listen();
  await load();
  showDetail();
}

/** Starts live events for the present filter; the list is asked for again each time they begin anew. */
function listen() {
  endEvents();
  let isFirst = true;
  endEvents = api.listen(address.query(state), {
    open() {
      drawState(true);
      if (!isFirst) load();
      isFirst = false;
    },
    changes({ exchanges, others }) {
      if (isStale) return;
      const wasEmpty = list.isEmpty;
      const wasAtTop = list.isAtTop;
      const added = list.merge(exchanges, others);
      if (added && !wasAtTop) showFresh(added);
      if (wasEmpty !== list.isEmpty) drawEmpty();
      if (exchanges.some((row) => row.id === state.chosen) || others.includes(state.chosen)) refreshDetail();
      recount();
    },
    resync() {
      if (list.isAtTop) load();
      else {
        isStale = true;
        showFresh(0);
        recount();
      }
    },
    async lost(isClosed) {
      drawState(false);
      if (!isClosed) return;
      try {
        await api.get("instance");
        setTimeout(listen, 2000);
      } catch (error) {
        refuse(error);
        if (!(error instanceof api.Refusal)) setTimeout(listen, 2000);
      }
    },
  });
}

/** Asks for the first page and the counts. */
async function load() {
  listing.abort();
  listing = new AbortController();
  const filter = address.query(state);
  try {
    // The rows do not wait for the counts, which have to look at everything.
    const counting = api.counts(filter, {
      signal: listing.signal, tell: (percent) => { byId("totals").textContent = `counting… ${percent} %`; },
    });
    const late = setTimeout(() => { byId("totals").textContent = "counting…"; }, 150);
    counting.catch(() => {}).finally(() => clearTimeout(late));
    const answer = await api.get(`search?${filter}&limit=${pageLength}`, { signal: listing.signal });
    isStale = false;
    forgetFresh();
    list.set(answer.exchanges, answer.next);
    list.choose(state.chosen, { reveal: true });
    drawCounts(await counting);
    notice(null);
  } catch (error) {
    if (error.name !== "AbortError") refuse(error);
  }
}

async function loadOlder() {
  if (isLoadingOlder || list.next === null) return;
  isLoadingOlder = true;
  const filter = address.query(state);
  try {
    const answer = await api.get(`search?${filter}&limit=${pageLength}&after=${list.next}`);
    if (filter === address.query(state)) list.append(answer.exchanges, answer.next);
  } catch (error) {
    refuse(error);
  }
  isLoadingOlder = false;
}

/** Counts again soon, at most a few times a second however much changes. */
function recount() {
  if (countTimer) return;
  countTimer = setTimeout(async () => {
    const filter = address.query(state);
    countedAt = performance.now();
    try {
      const answer = await api.get(`exchanges?${filter}&limit=0`);
      if (filter === address.query(state)) drawCounts(answer);
    } catch (error) {
      if (error instanceof api.Refusal) refuse(error);
    }
    countTimer = 0;
  }, Math.max(0, countEvery - (performance.now() - countedAt)));
}

function drawCounts(answer) {
  if (answer.truncated && !totals.truncated) tellGaps();
  totals = answer;
  rail.draw(answer.facets);
  const shown = answer.matched === answer.total ? count(answer.total) : `${count(answer.matched)} of ${count(answer.total)}`;
  byId("totals").textContent = `${shown} ${answer.total === 1 ? "exchange" : "exchanges"}${answer.truncated ? ", incomplete" : ""}${answer.searchedInPart ? `, ${count(answer.searchedInPart)} searched in part` : ""}`;
  fill(byId("hosts"), (answer.facets.host ?? []).slice(0, 100).map(({ value }) => el("option", { value })));
  drawChips();
  drawEmpty();
}

/** The selections as chips: those that are no value of a category by themselves, such as 5xx, can be taken away only here. */
function drawChips() {
  const chips = Object.keys(state.selections).flatMap((name) => selected(name).map((value) => chip(address.title(name), value, () =>
    select(name, selected(name).filter((one) => one !== value)))));
  if (state.text) chips.unshift(chip("Search", state.text, () => search("")));
  if (state.since) chips.push(chip("Since", state.since, () => window_("", state.before)));
  if (state.before) chips.push(chip("Before", state.before, () => window_(state.since, "")));
  if (state.text) chips.push(el("button", { type: "button", class: "clear", onclick: saveSearch }, "Save search"));
  if (chips.length > 1) chips.push(el("button", { type: "button", class: "clear", onclick: clear }, "Clear all"));
  byId("chips").hidden = chips.length === 0;
  fill(byId("chips"), chips);
  const button = byId("rail-toggle");
  const number = Object.values(state.selections).flat().length;
  button.dataset.count = number ? ` (${number})` : "";
  nameToggle();
}

function nameToggle() {
  const button = byId("rail-toggle");
  button.textContent = document.body.classList.contains("rail-open") ? "Done" : `Filters${button.dataset.count ?? ""}`;
}

function chip(title, value, remove) {
  return el("span", { class: "chip" }, el("span", { class: "quiet" }, title), " ", value,
    el("button", { type: "button", "aria-label": `Remove ${title} ${value}`, onclick: remove }, "✕"));
}

function drawEmpty() {
  document.querySelector(".welcome")?.remove();
  if (!list.isEmpty) return;
  byId("rows").append(totals.total === 0 ? welcome(instance) : nothing(totals.total, clear));
}

function drawState(isLive) {
  const element = byId("state");
  const isRecording = isLive && instance.recording;
  element.className = `state ${isRecording ? "recording" : isLive ? "" : "lost"}`;
  if (isRecording) fill(element, "Recording ", el("span", { class: "where" }, `on ${instance.proxy}`));
  else element.textContent = isLive ? "Not recording" : "Connection lost, trying again…";
}

function drawGaps() {
  const missing = instance.gaps.reduce((sum, gap) => sum + gap.count, 0);
  if (missing) notice(`${count(missing)} exchanges passed and could not be recorded: ${instance.gaps[0].cause}.`);
}

/** Asks what could not be recorded, once a listing says that something is missing. */
async function tellGaps() {
  try {
    instance = await api.get("instance");
    drawGaps();
  } catch (error) {
    if (error instanceof api.Refusal) refuse(error);
  }
}

function drawInputs() {
  byId("query").value = state.text;
  const select = byId("window");
  const isListed = [...select.options].some((option) => option.value === state.since);
  const isBetween = Boolean(state.before) || !isListed;
  select.value = isBetween ? "between" : state.since;
  byId("between").hidden = !isBetween;
  if (isBetween) {
    byId("since").value = localText(state.since);
    byId("before").value = localText(state.before);
  }
}

/** A time of the address as an input for local times takes it. */
function localText(text) {
  const date = new Date(text);
  if (!text || Number.isNaN(date.getTime())) return "";
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function wire() {
  window.addEventListener("popstate", () => {
    const before = address.query(state);
    state = address.read();
    drawInputs();
    if (before !== address.query(state)) {
      listen();
      load();
    }
    list.choose(state.chosen, { reveal: true });
    showDetail();
  });
  byId("find").addEventListener("submit", (event) => {
    event.preventDefault();
    const host = byId("host").value.trim().toLowerCase();
    byId("host").value = "";
    if (byId("query").value.trim() !== state.text) search(byId("query").value.trim());
    if (host && !selected("host").includes(host)) select("host", [...selected("host"), host]);
  });
  byId("query").addEventListener("input", complete);
  byId("window").addEventListener("change", (event) => {
    const isBetween = event.target.value === "between";
    byId("between").hidden = !isBetween;
    if (isBetween) byId("since").focus();
    else window_(event.target.value, "");
  });
  for (const id of ["since", "before"]) {
    byId(id).addEventListener("change", () => {
      const [since, before] = ["since", "before"].map((one) => byId(one).value && new Date(byId(one).value).toISOString());
      window_(since, before);
    });
  }
  byId("rail-toggle").addEventListener("click", () => {
    const isOpen = document.body.classList.toggle("rail-open");
    byId("rail-toggle").setAttribute("aria-expanded", String(isOpen));
    nameToggle();
  });
  byId("fresh").addEventListener("click", () => {
    if (isStale) load();
    list.toTop();
    forgetFresh();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches("input[type=text], input[type=datetime-local], select");
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      byId("query").focus();
    } else if (event.key === "Escape" && !isTyping && state.chosen !== null) choose(null);
    else if (["ArrowDown", "ArrowUp"].includes(event.key) && event.target === document.body) list.focus();
  });
  wireSplit();
}

/** Lets the reader set the detail's width, by pointer or by arrow keys. */
function wireSplit() {
  const split = byId("split");
  const setWidth = (width) => {
    const bounded = Math.min(innerWidth - 360, Math.max(320, width));
    byId("main").style.setProperty("--detail", `${bounded}px`);
  };
  split.addEventListener("pointerdown", (event) => {
    split.setPointerCapture(event.pointerId);
    const move = (moved) => setWidth(innerWidth - moved.clientX);
    split.addEventListener("pointermove", move);
    split.addEventListener("pointerup", () => split.removeEventListener("pointermove", move), { once: true });
  });
  split.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: 24, ArrowRight: -24 }[event.key];
    if (step) setWidth(byId("detail").offsetWidth + step);
  });
}

/** Chooses an exchange, or none; keys walk without filling the history. */
function choose(id, { byKey = false } = {}) {
  if (id === state.chosen) return;
  const replacing = byKey && state.chosen !== null;
  state.chosen = id;
  address.write(state, { replacing });
  list.choose(id);
  if (id === null) list.focus();
  clearTimeout(detailTimer);
  detailTimer = setTimeout(showDetail, byKey ? 80 : 0);
}

async function showDetail() {
  const id = state.chosen;
  const isOpen = id !== null;
  byId("detail").hidden = !isOpen;
  byId("split").hidden = !isOpen;
  document.body.classList.toggle("detail-open", isOpen);
  document.title = isOpen ? `${id} · inspect` : "inspect";
  if (!isOpen) {
    detail.clear();
    return;
  }
  try {
    const exchange = await api.get(`exchanges/${id}`);
    if (state.chosen === id) detail.show(exchange, state.tab);
  } catch (error) {
    if (state.chosen === id) detail.refuse(error.message);
  }
}

function refreshDetail() {
  clearTimeout(detailTimer);
  detailTimer = setTimeout(showDetail, 100);
}

/** Adds or takes away one value; taking away one that a class selected leaves the others of the class. */
function toggle(name, value, isWanted, values) {
  const present = selected(name);
  if (isWanted) select(name, [...present, value]);
  else if (present.some((one) => one.toLowerCase() === value.toLowerCase()) && !present.some((one) => isPattern(name, one))) {
    select(name, present.filter((one) => one.toLowerCase() !== value.toLowerCase()));
  } else select(name, values.filter((one) => one.selected && one.value !== value).map((one) => one.value));
}

/** The values chosen in a category. */
function selected(name) {
  return state.selections[name] ?? [];
}

/** Searches for a query text, unless it cannot be read: then says where. */
async function search(text) {
  try {
    await api.get(`exchanges?${new URLSearchParams({ q: text })}&limit=0&facets=false&before=1970-01-01T00:00Z`);
  } catch (error) {
    refuse(error);
    if (error.column) byId("query").setSelectionRange(error.column - 1, error.column);
    return;
  }
  state.text = text;
  drawInputs();
  filterChanged();
}

/** Saves the search under a name that is asked for; `@name` in the search box stands for it then. */
async function saveSearch() {
  const name = prompt("Save this search under which name? One word; @name stands for it then.");
  if (!name) return;
  try {
    const saved = await api.post("saved", { name, query: state.text });
    notice(`Saved: @${saved.name} in the search box stands for ${saved.query}`);
  } catch (error) {
    refuse(error);
  }
}

/** Offers what the typed text may become. */
async function complete() {
  clearTimeout(completeTimer);
  completeTimer = setTimeout(async () => {
    try {
      const { completions } = await api.get(`complete?${new URLSearchParams({ q: byId("query").value })}`);
      fill(byId("queries"), completions.map((value) => el("option", { value })));
    } catch {
      fill(byId("queries"));
    }
  }, 120);
}

/** Whether a selection may stand for several values. */
const isPattern = (name, text) => name === "host" || name === "type" || (["tag", "lens"].includes(name) && text.includes("*")) || (name === "client" && !/\s/.test(text)) || (name === "code" && /[x<>=-]/.test(text));

function select(name, values) {
  state.selections[name] = values;
  filterChanged();
}

function window_(since, before) {
  state.since = since;
  state.before = before;
  drawInputs();
  filterChanged();
}

function clear() {
  state.selections = {};
  state.text = "";
  window_("", "");
}

function filterChanged() {
  address.write(state);
  listen();
  load();
}

function showFresh(number) {
  fresh += number;
  byId("fresh").hidden = false;
  byId("fresh").textContent = isStale ? "New exchanges ↑" : `${count(fresh)} new ↑`;
}

function forgetFresh() {
  if (isStale) return;
  fresh = 0;
  byId("fresh").hidden = true;
}

function notice(sentence) {
  byId("notice").hidden = !sentence;
  byId("notice").textContent = sentence ?? "";
}

/** Says what went wrong; without the token nothing here works any more. */
function refuse(error) {
  notice(error instanceof api.Refusal ? error.message : "inspect does not answer; is it still running?");
}
