package import Traffic

/// A catalogue of what exchanges show of the portal: datasets, facets, maps, endless lists and notices.
///
/// Exchanges are added oldest first.
package struct DatasetCatalogue: Sendable {
    /// How many exchanges with the portal were read.
    package private(set) var exchanges = 0
    /// Whether every exchange was read that may be with the portal; see `PlaceBound`.
    package var isWhole = true
    /// The titles of the saved datasets; no exchange tells them.
    package var saved: Set<String> = []
    private var sightings: [String: DatasetSighting] = [:]
    /// The names and ids of the datasets that the app opened one by one.
    private var opened: Set<String> = []
    private var counted: [String: (exchange: ExchangeID, counts: [DatasetFacetCount])] = [:]
    private var maps: [String: ResourceMap] = [:]
    private var lists = DatasetScrolls()
    private var noticesByID: [Int64: PublicNotice] = [:]

    package init() {}

    /// Adds what an exchange shows; an exchange that is not with the portal shows nothing.
    ///
    /// - Parameters:
    ///   - capture: the exchange.
    ///   - lens: the name of the lens that reads it.
    package mutating func add(_ capture: Capture, lens: String) {
        switch lens {
        case "ckan": add(CKANReading(capture), capture)
        case "notices":
            for notice in NoticesReading(capture).notices { noticesByID[notice.id] = notice }
        default: return
        }
        exchanges += 1
    }

    /// The newest copy of each dataset, by title.
    package var datasets: [DatasetSighting] {
        sightings.values.sorted { ($0.dataset.title, $0.dataset.id) < ($1.dataset.title, $1.dataset.id) }
    }

    /// The endless lists, in the order in which they were begun.
    package var scrolls: [DatasetScroll] { lists.scrolls }

    /// The notices, newest number first.
    package var notices: [PublicNotice] { noticesByID.values.sorted { $0.id > $1.id } }

    /// The maps that have anything to draw, by resource.
    package var resourceMaps: [ResourceMap] {
        maps.values.filter { $0.geometry.isMap }.sorted { $0.resource < $1.resource }
    }

    /// Whether the app opened this one dataset, by its page or its history.
    package func isOpened(_ dataset: Dataset) -> Bool {
        !opened.isDisjoint(with: [dataset.id, dataset.name, dataset.title])
    }

    /// The other datasets of the same title; the app keeps favourites and history by title, and cannot tell them apart (C4).
    package func namesakes(of dataset: Dataset) -> [Dataset] {
        (byTitle[dataset.title] ?? []).filter { $0.id != dataset.id }
    }

    /// The datasets by title; made anew at each call, so a reader of many titles keeps it.
    var byTitle: [String: [Dataset]] { Dictionary(grouping: sightings.values.lazy.map(\.dataset), by: \.title) }

    /// The datasets that resources belong to, by resource; where several datasets have a resource, the first by name.
    package var owners: [String: Dataset] {
        var owners: [String: Dataset] = [:]
        for sighting in sightings.values {
            for id in sighting.dataset.resources.compactMap(\.id) {
                if let other = owners[id], other.name <= sighting.dataset.name { continue }
                owners[id] = sighting.dataset
            }
        }
        return owners
    }

    /// The portal's own counts of datasets by value, under no filter, with the exchange that holds them.
    package func portalCounts(of facet: DatasetFacet) -> (exchange: ExchangeID, counts: [DatasetFacetCount])? {
        counted[facet.field]
    }

    /// The datasets that a word names: by name or id, else by title or name with case ignored.
    package func datasets(named word: String) -> [DatasetSighting] {
        let exact = datasets.filter { $0.dataset.name == word || $0.dataset.id == word }
        if !exact.isEmpty { return exact }
        let word = word.lowercased()
        return datasets.filter { $0.dataset.title.lowercased() == word || $0.dataset.name.lowercased() == word }
    }

    private mutating func add(_ reading: CKANReading, _ capture: Capture) {
        let request = reading.request.sentence
        for dataset in reading.datasets {
            let sighting = DatasetSighting(
                dataset: dataset,
                exchange: capture.id,
                moment: reading.moment,
                request: request
            )
            if let known = sightings[dataset.id], !sighting.isNewer(than: known) { continue }
            sightings[dataset.id] = sighting
        }
        lists.add(reading, capture)
        let action = reading.request.action
        if ["package_show", "package_activity_list"].contains(action), let id = reading.request.value("id") {
            opened.insert(id)
        }
        guard let result = reading.answer.result else { return }
        if action == "package_search" {
            if let name = reading.request.clauses.first(where: { $0.field == "name" }) { opened.insert(name.value) }
            if reading.request.clauses.isEmpty, reading.request.value("q") == nil {
                for (field, counts) in DatasetFacetCount.fields(of: result) { counted[field] = (capture.id, counts) }
            }
        }
        if action == "datastore_search",
            let resource = result["resource_id"]?.string ?? reading.request.value("resource_id")
                ?? reading.request.value("id")
        {
            var map = maps[resource] ?? ResourceMap(resource: resource)
            map.add(result, start: reading.request.start, exchange: capture.id)
            maps[resource] = map
        }
    }
}
