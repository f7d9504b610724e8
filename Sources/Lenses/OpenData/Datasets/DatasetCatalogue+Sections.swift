import Foundation
import Traffic

/// A catalogue as parts that a terminal or a page draws.
extension DatasetCatalogue {
    /// A list of datasets, each with the exchange that it is from.
    package func listing(_ sightings: [DatasetSighting]) -> LensSection {
        let titles = byTitle.filter { $0.value.count > 1 }
        let rows = sightings.map { sighting in
            var row = LensTable.row(sighting.dataset, at: sighting.moment)
            if !row.isEmpty {
                let star = saved.contains(sighting.dataset.title) ? "★ " : ""
                let isShared = titles[sighting.dataset.title] != nil
                row[0] = LensText(star + sighting.dataset.title, isShared ? .warning : .plain)
            }
            return row + [LensText("#\(sighting.exchange)", .faint)]
        }
        let table = LensTable(columns: LensTable.datasetColumns + ["from"], rows: rows, isWhole: true)
        let title = "\(sightings.count) of \(datasets.count.counted("dataset"))"
        return LensSection(title, .table(table))
    }

    /// The remarks on datasets that share a title, a sentence for each title.
    package func collisions(_ sightings: [DatasetSighting]) -> [String] {
        let titles = Set(sightings.map(\.dataset.title))
        return byTitle.filter { $0.value.count > 1 && titles.contains($0.key) }.sorted { $0.key < $1.key }.map {
            title,
            same in
            let names = same.map(\.name).sorted().joined(separator: ", ")
            return
                "“\(title)” is the title of \(same.count) datasets (\(names)): the app keeps favourites by title and cannot tell them apart (C4)"
        }
    }

    /// The remark on saved datasets that no capture shows; empty where there are none.
    package var unseen: [String] {
        let missing = saved.subtracting(datasets.map(\.dataset.title)).sorted()
        return missing.isEmpty ? [] : ["Saved, and not in the captures: \(missing.joined(separator: ", "))"]
    }

    /// One dataset with all that is known of it.
    package func card(_ sighting: DatasetSighting) -> [LensSection] {
        var sections = DatasetCard(sighting.dataset, at: sighting.moment).sections
        let others = namesakes(of: sighting.dataset).map(\.name).sorted()
        var fields = [
            LensField("Newest copy", "#\(sighting.exchange), \(sighting.request)"),
            LensField("Opened", isOpened(sighting.dataset) ? "yes" : "no"),
            LensField("Saved", saved.contains(sighting.dataset.title) ? "yes" : "no"),
        ]
        if !others.isEmpty {
            fields.append(
                LensField(
                    "Same title",
                    LensText("\(others.joined(separator: ", ")): one favourite for all of them (C4)", .bad)
                )
            )
        }
        let resources = Set(sighting.dataset.resources.compactMap(\.id))
        let own = resourceMaps.filter { resources.contains($0.resource) }
        fields += own.map { map in
            LensField("Map", ([map.geometry.sentence] + map.pinless.map(\.sentence)).joined(separator: "; "))
        }
        sections.append(LensSection("In the captures", .fields(fields)))
        return sections
    }

    /// How many of some datasets have each value of a facet, beside what the portal counted.
    package func facet(_ facet: DatasetFacet, of sightings: [DatasetSighting]) -> LensSection {
        let portal = portalCounts(of: facet)
        let rows = counts(of: facet, in: sightings).map { value, captured, counted in
            [
                LensText(value), LensText(String(captured)),
                LensText(
                    counted.map { String($0) } ?? "-",
                    counted.map { $0 != captured } ?? false ? .warning : .plain
                ),
            ]
        }
        let source = portal.map { " (portal: #\($0.exchange))" } ?? ""
        return LensSection(
            "\(facet.rawValue) of \(sightings.count.counted("dataset"))\(source)",
            .table(LensTable(columns: ["value", "captured", "portal"], rows: rows))
        )
    }

    /// The values of a facet, the most frequent first: how many of some datasets have each, and how many the portal counted.
    func counts(of facet: DatasetFacet, in sightings: [DatasetSighting]) -> [(
        value: String, captured: Int, portal: Int?
    )] {
        let captured = DatasetFacetCount.counted(sightings.flatMap { Set($0.dataset.values(of: facet)) })
        let portal = portalCounts(of: facet)?.counts
        let counted = Dictionary((portal ?? []).map { ($0.value, $0.count) }, uniquingKeysWith: { _, last in last })
        let known = Set(captured.map(\.value))
        return captured.map { ($0.value, $0.count, portal == nil ? nil : counted[$0.value] ?? 0) }
            + (portal ?? []).filter { !known.contains($0.value) }.map { ($0.value, 0, $0.count) }
    }

    /// The endless lists: the rows of each, and above them where its pages do not fit together.
    package var scrollSections: [LensSection] {
        scrolls.flatMap { scroll -> [LensSection] in
            let pages = scroll.pages.map { page in
                [
                    LensText("#\(page.exchange)"), LensText("\(page.start + 1)"),
                    LensText(page.limit.map { String($0) } ?? "-"), LensText(page.rows.map { String($0.count) } ?? "-"),
                    LensText(page.outcome, page.rows == nil ? .bad : .plain),
                ]
            }
            let columns = ["exchange", "from row", "asked", "got", "outcome"]
            var sections = [
                LensSection("\(scroll.request): \(scroll.sentence)", .table(LensTable(columns: columns, rows: pages)))
            ]
            if !scroll.seams.isEmpty {
                let nodes = scroll.seams.map { LensNode(LensText($0.sentence, .bad)) }
                sections.append(LensSection("Where the pages do not fit", .tree(nodes)))
            }
            let rows = scroll.rows.map { row in
                [
                    LensText(String(row.number)), LensText(row.item.title), LensText(row.item.name, .faint),
                    LensText(
                        row.item.changed.map {
                            String(Timestamp.text(microseconds: Moment.microseconds($0)).prefix(16))
                        } ?? "-"
                    ),
                    LensText("#\(row.exchange)", .faint),
                ]
            }
            let table = LensTable(columns: ["row", "dataset", "name", "changed", "from"], rows: rows, isWhole: true)
            sections.append(LensSection("Rows", .table(table)))
            return sections
        }
    }

    /// The maps: the resource of each, its counts of pins and of rows without one; then the rows without a pin.
    package var mapSections: [LensSection] {
        let owners = self.owners
        let maps = resourceMaps.map { (map: $0, title: owners[$0.resource]?.title ?? $0.resource, pinless: $0.pinless) }
        let rows = maps.map { map, title, pinless in
            let geometry = map.geometry
            let left = pinless.reduce(0) { $0 + $1.count }
            return [
                LensText(title), LensText(String(geometry.points)),
                LensText(String(geometry.records)), LensText(map.total.map { String($0) } ?? "-"),
                LensText(geometry.sentence, geometry.others > 0 ? .bad : .plain),
                LensText(String(left), left == 0 ? .plain : .warning),
                LensText(map.exchanges.map { "#\($0)" }.joined(separator: ", "), .faint),
            ]
        }
        let columns = ["dataset", "pins", "read", "rows", "geometry", "no pin", "from"]
        let table = LensTable(columns: columns, rows: rows, isWhole: true)
        let nodes = maps.filter { !$0.pinless.isEmpty }.map { map in
            LensNode(LensText(map.title), children: map.pinless.map { LensNode(LensText($0.sentence, .warning)) })
        }
        let named = nodes.isEmpty ? [] : [LensSection("Rows without a pin", .tree(nodes))]
        return [LensSection("Maps", .table(table))] + named
    }
}
