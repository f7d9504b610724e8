import * as api from "./api.js";
import { Chips } from "./chips.js";
import { Choices } from "./choices.js";
import { Chosen } from "./chosen.js";
import { Columns } from "./columns.js";
import { Compare, comparing } from "./compare.js";
import { Counts } from "./counts.js";
import { Datasets } from "./datasets.js";
import { byId } from "./dom.js";
import { Facilities } from "./facilities.js";
import { FilterMenu } from "./filter-menu.js";
import { Findings } from "./findings.js";
import { wireKeys } from "./keys.js";
import { Layout } from "./layout.js";
import { ListTools } from "./list-tools.js";
import { Listing } from "./listing.js";
import { Manual } from "./manual.js";
import { Meetings } from "./meetings.js";
import { Menus } from "./menus.js";
import { MarkedBar } from "./marked.js";
import { Notice } from "./notice.js";
import { Overview } from "./overview.js";
import { Places } from "./places.js";
import { wirePointer } from "./pointer.js";
import { RailToggle } from "./rail-toggle.js";
import { Rail } from "./rail.js";
import { Reading } from "./reading.js";
import { Recording } from "./recording.js";
import { openEdit } from "./replay.js";
import { openReplaySet } from "./replay-set.js";
import { Rules } from "./rules.js";
import { RulesBar } from "./rules-bar.js";
import { RunningRules } from "./running-rules.js";
import { Search } from "./search.js";
import { Searches } from "./searches.js";
import { Setup } from "./setup.js";
import { State } from "./state.js";
import { Strip } from "./strip.js";
import * as theme from "./theme.js";
import { TimeWindow } from "./time-window.js";
import { Tools } from "./tools.js";
import { View } from "./view.js";

// The only place where the parts of the page meet.

theme.apply();
const view = new View();
const overview = new Overview(view);
const columns = new Columns();
overview.addEventListener("told", () => overview.answer.from && columns.cover(overview.answer.from));
const layout = new Layout();
const notice = new Notice(byId("notice"));
const counts = new Counts(view);
counts.addEventListener("failed", () => counts.error instanceof api.Refusal && notice.refuse(counts.error));

const reading = new Reading(view);
const choices = new Choices({ view, reading });
const searches = new Searches({ notice });
const search = new Search({ view, reading, counts, searches });
const time = new TimeWindow({ view });
const rail = new Rail(byId("rail"), { view, counts, choices, reading });
const railToggle = new RailToggle({ view, counts });
const filters = new FilterMenu({ choices });
new Chips({ view, reading, counts, choices, search, searches });

api.get("instance").then(start, (error) => notice.refuse(error));

async function start(instance) {
  const chosen = new Chosen({ view, notice, instance, filters, edit: (exchange) => openEdit(view, exchange) });
  const listing = new Listing({
    view, counts, overview, notice, instance, columns, layout, choose: (id, options) => chosen.choose(id, options),
    menu: (row, at) => filters.open(row, at),
  });
  new ListTools({ listing, columns, layout });
  const marked = new MarkedBar({ listing });
  marked.offer({ title: "Compare", least: 2, most: 2, run: ([left, right]) => view.change(comparing(left, right)) });
  if (instance.recording) marked.offer({ title: "Replay…", run: (ids) => openReplaySet(view, ids) });
  new Strip(byId("strip"), { view, overview });
  listing.addEventListener("changed", ({ detail }) => chosen.changed(detail));
  // An answer from before the first change was told may be out of date.
  listing.addEventListener("live", () => chosen.changed(null));
  const recording = new Recording({ instance, notice });
  new State({ listing, counts, notice, instance, recording });
  const tools = new Tools(byId("tools"), { view, counts, reading, notice, instance, recording });
  const running = new RunningRules({ isRunning: instance.recording, listing });
  new RulesBar(byId("rules-bar"), { view, running });
  const places = new Places({
    view, counts, places: {
      findings: new Findings({ view }), facilities: new Facilities({ view }), meetings: new Meetings({ view }), datasets: new Datasets({ view }),
      menus: new Menus({ view }), rules: new Rules({ view, instance, running }),
      compare: new Compare({ view, canReplay: instance.recording }), setup: new Setup({ instance }), manual: new Manual({ view }),
    },
  });
  tools.add(() => [
    ...(instance.recording ? [{ label: "Replay what is listed…", run: () => openReplaySet(view) }] : []),
    { heading: "Places" }, ...places.items(),
  ]);
  wirePointer(view);
  wireKeys({ view, listing, search, time, rail, railToggle, chosen, tools });
  await listing.start();
}
