import Foundation
import Traffic

/// What a catalogue shows, for programs.
extension DatasetCatalogue {
    /// A list of datasets: `total`, `matched`, `datasets`.
    package func write(_ sightings: [DatasetSighting], to json: inout JSONWriter) {
        json.object { json in
            let byTitle = self.byTitle
            json.integer("total", datasets.count)
            json.integer("matched", sightings.count)
            json.array("datasets") { json in for sighting in sightings { write(sighting, byTitle, to: &json) } }
        }
    }

    /// One dataset, with what the captures say of it.
    package func write(_ sighting: DatasetSighting, to json: inout JSONWriter) { write(sighting, byTitle, to: &json) }

    private func write(_ sighting: DatasetSighting, _ byTitle: [String: [Dataset]], to json: inout JSONWriter) {
        let dataset = sighting.dataset
        let namesakes = (byTitle[dataset.title] ?? []).filter { $0.id != dataset.id }.map(\.name).sorted()
        json.object { json in
            json.string("id", dataset.id)
            json.string("name", dataset.name)
            json.string("title", dataset.title)
            json.string("division", dataset.division)
            json.string("type", dataset.category)
            json.string("refreshRate", dataset.refreshRate)
            let lists = [
                ("formats", dataset.formats), ("topics", dataset.topics), ("civicIssues", dataset.civicIssues),
                ("tags", dataset.tags),
            ]
            for (name, words) in lists { json.array(name) { json in for word in words { json.string(nil, word) } } }
            json.string("licence", dataset.licence)
            json.boolean("retired", dataset.isRetired)
            json.string("lastRefreshed", DatasetCatalogue.text(dataset.lastRefreshed))
            json.string("modified", DatasetCatalogue.text(dataset.modified))
            json.string("created", DatasetCatalogue.text(dataset.created))
            json.string("content", sighting.freshness.word)
            if case .stale(let late) = sighting.freshness {
                json.integer("overdueSeconds", Int64(late))
            } else {
                json.null("overdueSeconds")
            }
            json.string("notes", dataset.notes)
            json.string("link", dataset.link)
            json.array("resources") { json in
                for resource in dataset.resources {
                    json.object { json in
                        json.string("id", resource.id)
                        json.string("name", resource.name)
                        json.string("format", resource.format)
                        json.integer("records", resource.recordCount)
                        json.boolean("inDatastore", resource.isInDatastore)
                        json.string("url", resource.url)
                    }
                }
            }
            json.boolean("opened", isOpened(dataset))
            json.array("sameTitle") { json in for name in namesakes { json.string(nil, name) } }
            json.integer("exchange", sighting.exchange)
            json.string("seen", DatasetCatalogue.text(sighting.moment))
            json.string("request", sighting.request)
        }
    }

    /// A facet's counts: `facet`, `field`, `portalExchange`, `values`.
    package func write(_ facet: DatasetFacet, of sightings: [DatasetSighting], to json: inout JSONWriter) {
        json.object { json in
            json.string("facet", facet.rawValue)
            json.string("field", facet.field)
            json.integer("portalExchange", portalCounts(of: facet)?.exchange)
            json.array("values") { json in
                for (value, captured, portal) in counts(of: facet, in: sightings) {
                    json.object { json in
                        json.string("value", value)
                        json.integer("captured", captured)
                        json.integer("portal", portal)
                    }
                }
            }
        }
    }

    /// The endless lists: `scrolls`, each with `pages`, `seams` and `rows`.
    package func writeScrolls(to json: inout JSONWriter) {
        json.object { json in
            json.array("scrolls") { json in
                for scroll in scrolls {
                    json.object { json in
                        json.string("request", scroll.request)
                        json.boolean("whole", scroll.isWhole)
                        json.array("pages") { json in
                            for page in scroll.pages {
                                json.object { json in
                                    json.integer("exchange", page.exchange)
                                    json.integer("start", page.start)
                                    json.integer("limit", page.limit)
                                    json.integer("rows", page.rows?.count)
                                    json.string("outcome", page.outcome)
                                }
                            }
                        }
                        json.array("seams") { json in
                            for seam in scroll.seams {
                                json.object { json in
                                    json.string("kind", seam.kind.rawValue)
                                    json.integer("first", seam.rows.lowerBound)
                                    json.integer("last", seam.rows.upperBound)
                                    json.string("message", seam.sentence)
                                }
                            }
                        }
                        json.array("rows") { json in
                            for row in scroll.rows {
                                json.object { json in
                                    json.integer("row", row.number)
                                    json.string("title", row.item.title)
                                    json.string("name", row.item.name)
                                    json.string("changed", DatasetCatalogue.text(row.item.changed))
                                    json.integer("exchange", row.exchange)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The maps: `maps`, each with counts by type of geometry.
    package func writeMaps(to json: inout JSONWriter) {
        json.object { json in
            json.array("maps") { json in
                for map in resourceMaps {
                    let geometry = map.geometry
                    json.object { json in
                        json.string("resource", map.resource)
                        json.string("dataset", owner(ofResource: map.resource)?.name)
                        json.integer("total", map.total)
                        json.integer("read", geometry.records)
                        json.integer("pins", geometry.points)
                        json.integer("others", geometry.others)
                        json.integer("withoutGeometry", geometry.missing)
                        json.integer("unreadable", geometry.unreadable)
                        json.object("types") { json in
                            for type in geometry.types.sorted(by: { $0.key < $1.key }) {
                                json.integer(type.key, type.value)
                            }
                        }
                        json.array("exchanges") { json in for id in map.exchanges { json.integer(nil, id) } }
                    }
                }
            }
        }
    }

    /// The notices: `notices`, each with `id`, `title` and `page`.
    package func writeNotices(to json: inout JSONWriter) {
        json.object { json in
            json.array("notices") { json in
                for notice in notices {
                    json.object { json in
                        json.integer("id", notice.id)
                        json.string("title", notice.title)
                        json.string("page", notice.link)
                    }
                }
            }
        }
    }

    private static func text(_ date: Date?) -> String? {
        date.map { Timestamp.text(microseconds: Moment.microseconds($0)) }
    }
}
