import Foundation
package import Traffic

/// A catalogue as JSON.
extension DatasetCatalogue {
    /// Writes a list of datasets: `total`, `matched`, `datasets`.
    package func write(_ sightings: [DatasetSighting], to json: inout JSONWriter) {
        json.object { json in
            let byTitle = self.byTitle
            json.integer("total", datasets.count)
            json.integer("matched", sightings.count)
            writeBound(to: &json)
            json.objects("datasets", sightings) { members(of: $0, byTitle, &$1) }
        }
    }

    /// Writes one dataset, with what the captures show of it.
    package func write(_ sighting: DatasetSighting, to json: inout JSONWriter) {
        json.object { json in
            writeBound(to: &json)
            members(of: sighting, byTitle, &json)
        }
    }

    private func members(of sighting: DatasetSighting, _ byTitle: [String: [Dataset]], _ json: inout JSONWriter) {
        let dataset = sighting.dataset
        let namesakes = (byTitle[dataset.title] ?? []).filter { $0.id != dataset.id }.map(\.name).sorted()
        json.string("id", dataset.id)
        json.string("name", dataset.name)
        json.string("title", dataset.title)
        json.string("division", dataset.division)
        json.string("type", dataset.category)
        json.string("refreshRate", dataset.refreshRate)
        json.strings("formats", dataset.formats)
        json.strings("topics", dataset.topics)
        json.strings("civicIssues", dataset.civicIssues)
        json.strings("tags", dataset.tags)
        json.string("licence", dataset.licence)
        json.boolean("retired", dataset.isRetired)
        json.string("lastRefreshed", DatasetCatalogue.text(dataset.lastRefreshed))
        json.string("modified", DatasetCatalogue.text(dataset.modified))
        json.string("created", DatasetCatalogue.text(dataset.created))
        json.string("age", dataset.refreshed.map { DatasetCard.moment($0, at: sighting.moment) })
        json.string("content", sighting.freshness.word)
        json.integer("overdueSeconds", sighting.freshness.late.map { Int64($0) })
        json.string("overdue", sighting.freshness.late.map(DatasetFreshness.age))
        json.string("notes", dataset.notes)
        json.string("link", dataset.link)
        json.objects("resources", dataset.resources) { resource, json in
            json.string("id", resource.id)
            json.string("name", resource.name)
            json.string("format", resource.format)
            json.integer("records", resource.recordCount)
            json.boolean("inDatastore", resource.isInDatastore)
            json.string("url", resource.url)
        }
        json.boolean("opened", isOpened(dataset))
        json.boolean("saved", saved.contains(dataset.title))
        json.strings("sameTitle", namesakes)
        json.integer("exchange", sighting.exchange)
        json.string("seen", DatasetCatalogue.text(sighting.moment))
        json.string("request", sighting.request)
    }

    /// Writes a facet's counts: `facet`, `field`, `portalExchange`, `values`.
    package func write(_ facet: DatasetFacet, of sightings: [DatasetSighting], to json: inout JSONWriter) {
        json.object { json in
            json.string("facet", facet.rawValue)
            json.string("field", facet.field)
            json.integer("portalExchange", portalCounts(of: facet)?.exchange)
            writeBound(to: &json)
            json.objects("values", counts(of: facet, in: sightings)) { count, json in
                json.string("value", count.value)
                json.integer("captured", count.captured)
                json.integer("portal", count.portal)
            }
        }
    }

    /// Writes the endless lists: `scrolls`, each with `pages`, `seams` and `rows`.
    package func writeScrolls(to json: inout JSONWriter) {
        json.object { json in
            writeBound(to: &json)
            json.objects("scrolls", scrolls) { scroll, json in
                json.string("request", scroll.request)
                json.boolean("whole", scroll.isWhole)
                json.objects("pages", scroll.pages) { page, json in
                    json.integer("exchange", page.exchange)
                    json.integer("start", page.start)
                    json.integer("limit", page.limit)
                    json.integer("rows", page.rows?.count)
                    json.string("outcome", page.outcome)
                }
                json.objects("seams", scroll.seams) { seam, json in
                    json.string("kind", seam.kind.rawValue)
                    json.integer("first", seam.rows.lowerBound)
                    json.integer("last", seam.rows.upperBound)
                    json.string("message", seam.sentence)
                }
                json.objects("rows", scroll.rows) { row, json in
                    json.integer("row", row.number)
                    json.string("title", row.item.title)
                    json.string("name", row.item.name)
                    json.string("changed", DatasetCatalogue.text(row.item.changed))
                    json.integer("exchange", row.exchange)
                }
            }
        }
    }

    /// Writes the maps: `maps`, each with counts by type of geometry, and `withoutPin`: each reason with its rows as `[first, last]`.
    package func writeMaps(to json: inout JSONWriter) {
        let owners = self.owners
        json.object { json in
            writeBound(to: &json)
            json.objects("maps", resourceMaps) { map, json in
                let geometry = map.geometry
                json.string("resource", map.resource)
                json.string("dataset", owners[map.resource]?.name)
                json.integer("total", map.total)
                json.integer("read", geometry.records)
                json.integer("pins", geometry.points)
                json.integer("others", geometry.others)
                json.integer("withoutGeometry", geometry.missing)
                json.integer("unreadable", geometry.unreadable)
                if let extent = geometry.extent {
                    json.array("extent") { json in
                        for degrees in [extent.west, extent.south, extent.east, extent.north] {
                            json.number(nil, degrees)
                        }
                    }
                } else {
                    json.null("extent")
                }
                json.object("types") { json in
                    for type in geometry.types.sorted(by: { $0.key < $1.key }) { json.integer(type.key, type.value) }
                }
                json.objects("withoutPin", map.pinless) { pinless, json in
                    json.string("reason", pinless.reason.rawValue)
                    json.integer("count", pinless.count)
                    json.array("rows") { json in
                        for rows in pinless.rows {
                            json.array { json in
                                json.integer(nil, rows.lowerBound)
                                json.integer(nil, rows.upperBound)
                            }
                        }
                    }
                }
                json.array("exchanges") { json in for id in map.exchanges { json.integer(nil, id) } }
            }
        }
    }

    /// Writes the notices: `notices`, each with `id`, `title` and `page`.
    package func writeNotices(to json: inout JSONWriter) {
        json.object { json in
            writeBound(to: &json)
            json.objects("notices", notices) { notice, json in
                json.integer("id", notice.id)
                json.string("title", notice.title)
                json.string("page", notice.link)
            }
        }
    }

    /// Writes that exchanges were left out, where they were.
    private func writeBound(to json: inout JSONWriter) {
        if !isWhole { json.boolean("complete", false) }
    }

    private static func text(_ date: Date?) -> String? {
        date.map { Timestamp.text(microseconds: Moment.microseconds($0)) }
    }
}
