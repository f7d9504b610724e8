const typing = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const isTyping = (element) => element.matches(typing);
// Keys that repeat while they are held.
const repeating = /^Arrow|^[[\]]$/;

/**
 * Every key of the page: this table runs what a key does, and the sheet of `?` shows it.
 *
 * `where` is the part in which the focus has to be; `run` gets the parts of the page and the key. A row without `run` is done by the part itself.
 */
export const table = [
  { group: "Anywhere", keys: ["/"], about: "Search", run: ({ search }) => search.focus() },
  { group: "Anywhere", keys: ["h"], about: "Add a host to the filter", run: ({ search }) => search.focusHost() },
  { group: "Anywhere", keys: ["t"], about: "Choose the time", run: ({ time }) => time.focus() },
  { group: "Anywhere", keys: ["f"], about: "Go to the categories", run: ({ rail, railToggle }) => { railToggle.open(); rail.focus(); } },
  { group: "Anywhere", keys: ["l"], about: "Go to the list", run: ({ listing, railToggle }) => { railToggle.close(); listing.focus(); } },
  {
    group: "Anywhere", shown: "1 … 9", keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], about: "Open the place of this number in the bar",
    run: (parts, key) => document.querySelectorAll("#places a")[Number(key) - 1]?.click(),
  },
  {
    group: "Anywhere", keys: ["Escape"], about: "Close what is on top: a dialog, a menu, suggestions, then the chosen exchange",
    run: ({ chosen, view }) => view.chosen !== null && chosen.close(),
  },
  { group: "Anywhere", keys: ["?"], about: "Show these keys", run: ({ tools }) => tools.help() },
  { group: "Tools", keys: ["e"], about: "Export this view", run: ({ tools }) => tools.export() },
  { group: "Tools", keys: ["s"], about: "Share this view", run: ({ tools }) => tools.share() },
  { group: "Tools", keys: ["x"], about: "Clear (asks first)", run: ({ tools }) => tools.clear() },
  { group: "Tools", keys: ["p"], about: "Pause or resume recording", run: ({ tools }) => tools.pause() },
  {
    group: "Categories", where: "#rail", keys: ["ArrowDown", "ArrowUp"], about: "Next value, or the one before",
    run: ({ rail }, key) => rail.move(key === "ArrowDown" ? 1 : -1),
  },
  {
    group: "Categories", where: "#rail", keys: ["Home", "End"], about: "First value, last value",
    run: ({ rail }, key) => rail.moveTo(key === "Home" ? "first" : "last"),
  },
  { group: "Categories", where: "#rail", keys: [" "], about: "Select the value, or not" },
  { group: "Categories", where: "#rail", keys: ["o"], about: "Only this value (or Alt-click)", run: ({ rail }) => rail.only() },
  { group: "Categories", where: "#rail", keys: ["n"], about: "Leave the value out, or not", run: ({ rail }) => rail.exclude() },
  {
    group: "Categories", where: "#rail", keys: ["ArrowLeft", "ArrowRight"], about: "Fold the category, unfold it",
    run: ({ rail }, key) => rail.fold(key === "ArrowLeft"),
  },
  {
    group: "List", keys: ["ArrowDown", "ArrowUp"], about: "Next exchange, or the one before",
    run: ({ listing }, key, event) => event.target === document.body && listing.focus(),
  },
  { group: "List", where: "#rows", keys: ["PageDown", "PageUp", "Home", "End"], about: "A page further or back, the newest, the oldest" },
  {
    group: "Chosen exchange", keys: ["]", "["], about: "Next part, or the one before",
    run: ({ chosen }, key) => chosen.does(key === "]" ? "next-tab" : "previous-tab"),
  },
  { group: "Chosen exchange", keys: ["b"], about: "Favourite, or not", run: ({ chosen }) => chosen.does("favourite") },
  { group: "Chosen exchange", keys: ["g", "m"], about: "Write a tag, a note", run: ({ chosen }, key) => chosen.does(key === "g" ? "tag" : "note") },
  { group: "Chosen exchange", keys: ["i"], about: "Find in the body", run: ({ chosen }) => chosen.does("find") },
  {
    group: "Chosen exchange", keys: ["c", "u"], about: "Copy as curl, copy the URL",
    run: ({ chosen }, key) => chosen.does(key === "c" ? "copy-curl" : "copy-url"),
  },
  { group: "Chosen exchange", keys: ["o"], about: "Only this host, or all again", run: ({ chosen }) => chosen.does("only-host") },
  { group: "Chosen exchange", keys: ["."], about: "Filter by one of its values (or right-click it)", run: ({ chosen }) => chosen.does("filter") },
  { group: "Chosen exchange", keys: ["r"], about: "Replay", run: ({ chosen }) => chosen.does("replay") },
  { group: "Chosen exchange", keys: ["v"], about: "Beside the list, or below it", run: ({ chosen }) => chosen.does("side") },
  { group: "Compare", where: ".compare", keys: ["n", "N"], about: "Next difference, or the one before" },
  {
    group: "Search box", where: "#find", keys: ["ArrowDown", "ArrowUp"],
    about: "Walk the suggestions; an empty box offers saved and recent searches",
  },
  { group: "Search box", where: "#find", keys: ["Enter"], about: "Take the suggestion, or search" },
  { group: "Search box", where: "#find", keys: ["Shift+Delete"], about: "Forget the recent or saved search" },
];

/** Makes the keys of the table work. */
export function wireKeys(parts) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // A dialog keeps its keys; Escape closes it by itself.
    if (document.querySelector("dialog[open]")) return;
    const row = table.filter(({ keys, run }) => run && keys.includes(event.key))
      .sort((a, b) => Number(Boolean(b.where)) - Number(Boolean(a.where)))
      .find(({ where }) => !where || event.target.closest(where));
    if (!row) return;
    const isForList = row.group === "List";
    if (!isForList) event.preventDefault();
    if (event.repeat && !repeating.test(event.key)) return;
    row.run(parts, event.key, event);
  });
}
