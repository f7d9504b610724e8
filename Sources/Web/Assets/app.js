import * as api from "./api.js";
import { Chips } from "./chips.js";
import { Choices } from "./choices.js";
import { Chosen } from "./chosen.js";
import { Columns } from "./columns.js";
import { Counts } from "./counts.js";
import { byId } from "./dom.js";
import { wireKeys } from "./keys.js";
import { Layout } from "./layout.js";
import { ListTools } from "./list-tools.js";
import { Listing } from "./listing.js";
import { MarkedBar } from "./marked.js";
import { Notice } from "./notice.js";
import { Overview } from "./overview.js";
import { Places } from "./places.js";
import { RailToggle } from "./rail-toggle.js";
import { Rail } from "./rail.js";
import { Reading } from "./reading.js";
import { Recording } from "./recording.js";
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
const layout = new Layout();
const notice = new Notice(byId("notice"));
const counts = new Counts(view);
counts.addEventListener("failed", () => counts.error instanceof api.Refusal && notice.refuse(counts.error));

const reading = new Reading(view);
const choices = new Choices({ view, reading });
const searches = new Searches({ notice });
const search = new Search({ view, reading, counts, searches });
const time = new TimeWindow({ view });
const rail = new Rail(byId("rail"), { counts, choices, reading });
const railToggle = new RailToggle({ view, counts });
new Chips({ view, reading, counts, choices, search, searches });

api.get("instance").then(start, (error) => notice.refuse(error));

async function start(instance) {
  const chosen = new Chosen({ view, notice, instance });
  const listing = new Listing({
    view, counts, overview, notice, instance, columns, layout, choose: (id, options) => chosen.choose(id, options),
  });
  new ListTools({ listing, columns, layout });
  new MarkedBar({ listing });
  new Strip(byId("strip"), { view, overview });
  listing.addEventListener("changed", ({ detail }) => chosen.changed(detail));
  const recording = new Recording({ instance, notice });
  new State({ listing, counts, notice, instance, recording });
  const tools = new Tools(byId("tools"), { view, counts, reading, notice, recording });
  new Places({ view, places: { setup: new Setup({ instance }) } });
  wireKeys({ view, listing, search, time, rail, railToggle, chosen, tools });
  await listing.start();
}
