import * as api from "./api.js";
import { Chosen } from "./chosen.js";
import { Columns } from "./columns.js";
import { Counts } from "./counts.js";
import { byId } from "./dom.js";
import { wireKeys, wireRailToggle } from "./keys.js";
import { Layout } from "./layout.js";
import { ListTools } from "./list-tools.js";
import { Listing } from "./listing.js";
import { MarkedBar } from "./marked.js";
import { Notice } from "./notice.js";
import { Overview } from "./overview.js";
import { Places } from "./places.js";
import { Rail } from "./rail.js";
import { Search } from "./search.js";
import { wireSplit } from "./split.js";
import { State } from "./state.js";
import { Strip } from "./strip.js";
import { View } from "./view.js";

// The only place where the parts of the page meet.

const view = new View();
const overview = new Overview(view);
const columns = new Columns();
const layout = new Layout();
const notice = new Notice(byId("notice"));
const counts = new Counts(view);
counts.addEventListener("failed", () => counts.error instanceof api.Refusal && notice.refuse(counts.error));

const search = new Search({ view, counts, notice });
new Rail(byId("rail"), { view, counts });
wireRailToggle({ view, counts });
wireSplit();

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
  new State({ listing, counts, notice, instance });
  new Places({ view, places: {} });
  wireKeys({ view, listing, search, chosen });
  await listing.start();
}
