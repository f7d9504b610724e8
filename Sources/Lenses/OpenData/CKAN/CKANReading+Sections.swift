import Foundation
import Traffic

/// The parts of a view, by the action.
extension CKANReading {
    /// The most columns of a table of rows, as many as a reader takes in at once.
    private static let columnLimit = 8
    /// The most characters of a cell of a row.
    private static let cellLimit = 80

    var sections: [LensSection] {
        var sections = [LensSection("Request", .fields(requestFields))]
        guard let result = answer.result else {
            if let error = errorFields { sections.append(LensSection("Error", .fields(error))) }
            return sections
        }
        switch request.action {
        case "package_search": sections += search(result)
        case "package_show":
            if let dataset = Dataset(result) { sections += DatasetCard(dataset, at: moment).sections }
        case "recently_changed_packages_activity_list", "package_activity_list": sections.append(changes(result))
        case "datastore_search": sections += rows(result)
        case "user_list", "user_show": sections.append(admins(result))
        case "vocabulary_list": sections.append(vocabularies(result))
        case "package_autocomplete": sections.append(suggestions(result))
        default:
            if let text = result.string {
                sections.append(LensSection("Answer", .text(text)))
            } else if let elements = result.elements {
                let rows = elements.map { [LensText($0.string ?? Dataset.text($0["name"]) ?? $0.kind)] }
                sections.append(LensSection("List", .table(LensTable(columns: ["name"], rows: rows))))
            }
        }
        return sections
    }

    private var requestFields: [LensField] {
        var fields = [LensField("Token", request.token)]
        fields += request.filters.map {
            LensField(CKANRequest.label($0.field ?? ""), ($0.isNegated ? "not " : "") + $0.value)
        }
        if let order = request.misplacedOrder {
            fields.append(
                LensField("Order By", LensText("\(order), inside fq: searched for, orders nothing (C1)", .bad))
            )
        } else if let sort = request.value("sort") {
            fields.append(LensField("Order By", sort))
        }
        if let tag = request.unquotedTag {
            fields.append(
                LensField("Tag", LensText("“\(tag)” without quotes: only its first word is the tag (C2)", .bad))
            )
        }
        if let title = request.titleAsID {
            fields.append(LensField("Id", LensText("“\(title)” is a title, no name or id (C4)", .bad)))
        }
        return fields
    }

    private var errorFields: [LensField]? {
        guard request.isCall else { return nil }
        switch answer {
        case .refused(let refusal):
            var fields = [LensField("Type", refusal.type ?? "none")]
            if let message = refusal.message { fields.append(LensField("Message", message)) }
            fields += refusal.parameters.map { LensField($0.name, $0.complaints.joined(separator: "; ")) }
            return fields + [LensField("App", LensText("ignores success; shows No Data", .bad))]
        case .nothing, .result: return nil
        default:
            return [LensField("Body", answer.failure ?? ""), LensField("App", LensText("shows No Data", .bad))]
        }
    }

    private func search(_ result: JSONValue) -> [LensSection] {
        var sections = DatasetFacetCount.fields(of: result).map { field, counts in
            let rows = counts.map { [LensText($0.value), LensText(String($0.count))] }
            return LensSection(
                "Facet \(CKANRequest.label(field))",
                .table(LensTable(columns: ["value", "datasets"], rows: rows))
            )
        }
        let datasets = self.datasets
        if datasets.count == 1, let only = datasets.first { return sections + DatasetCard(only, at: moment).sections }
        if !datasets.isEmpty {
            let rows = datasets.map { LensTable.row($0, at: moment) }
            sections.append(LensSection("Datasets", .table(LensTable(columns: LensTable.datasetColumns, rows: rows))))
        }
        return sections
    }

    private func changes(_ result: JSONValue) -> LensSection {
        let rows = (result.elements ?? []).map { activity -> [LensText] in
            let dataset = (activity["data"]?["package"]).flatMap { Dataset($0) }
            return [
                LensText(DatasetCard.moment(Dataset.date(activity["timestamp"]), at: moment)),
                LensText(activity["activity_type"]?.string ?? "-"), LensText(dataset?.title ?? "-"),
                LensText(activity["data"]?["actor"]?.string ?? "-"), LensText(dataset?.name ?? "-", .faint),
            ]
        }
        return LensSection(
            "Changes",
            .table(LensTable(columns: ["when", "what", "dataset", "by", "name"], rows: rows))
        )
    }

    private func rows(_ result: JSONValue) -> [LensSection] {
        let names = (result["fields"]?.elements ?? []).compactMap { $0["id"]?.string }
        let types = (result["fields"]?.elements ?? []).map {
            [LensText($0["id"]?.string ?? "-"), LensText($0["type"]?.string ?? "-")]
        }
        let records = result["records"]?.elements ?? []
        let geometry = RecordGeometry(records: records)
        var sections: [LensSection] = []
        if geometry.isMap {
            var fields = [
                LensField("Pins", "\(geometry.points) of \(records.count.counted("row")) here"),
                LensField("Geometry", geometry.sentence),
            ]
            if geometry.others > 0 {
                fields.append(
                    LensField(
                        "No pin",
                        LensText("\(geometry.others.counted("row")): the app's map reads points only (C3)", .bad)
                    )
                )
            }
            if let total = result["total"]?.integer, total > records.count {
                fields.append(
                    LensField(
                        "Not asked for",
                        LensText("\(total - Int64(records.count)) of \(total.counted("row"))", .warning)
                    )
                )
            }
            sections.append(LensSection("Map", .fields(fields)))
        }
        sections.append(LensSection("Fields", .table(LensTable(columns: ["field", "type"], rows: types))))
        let columns = Array(names.filter { $0 != "geometry" }.prefix(CKANReading.columnLimit))
        let cells = records.prefix(LensTable.rowLimit).map { record in columns.map { CKANReading.cell(record[$0]) } }
        var table = LensTable(columns: columns, rows: cells)
        table.total = records.count
        if !columns.isEmpty { sections.append(LensSection("Records", .table(table))) }
        return sections
    }

    private func admins(_ result: JSONValue) -> LensSection {
        let rows = (result.elements ?? [result]).map { user -> [LensText] in
            [
                LensText(user["name"]?.string ?? "-"),
                LensText(Dataset.text(user["display_name"]) ?? Dataset.text(user["fullname"]) ?? "-"),
                CKANReading.cell(user["number_created_packages"]), CKANReading.cell(user["sysadmin"]),
                CKANReading.cell(user["state"]),
            ]
        }
        return LensSection(
            "Admins",
            .table(LensTable(columns: ["name", "shown as", "packages", "sysadmin", "state"], rows: rows))
        )
    }

    private func vocabularies(_ result: JSONValue) -> LensSection {
        let vocabularies = result.elements ?? []
        var nodes = vocabularies.prefix(LensTable.rowLimit).map { vocabulary in
            let tags = vocabulary["tags"]?.elements ?? []
            return LensNode(
                LensText(vocabulary["name"]?.string ?? "without a name"),
                detail: LensText(tags.count.counted("tag"), .faint),
                children: tags.prefix(LensTable.rowLimit).map {
                    LensNode(LensText($0["name"]?.string ?? $0.string ?? "-"))
                }
            )
        }
        let rest = vocabularies.count - nodes.count
        if rest > 0 { nodes.append(LensNode(LensText("and \(rest) more", .faint))) }
        return LensSection("Vocabularies", .tree(nodes))
    }

    private func suggestions(_ result: JSONValue) -> LensSection {
        let rows = (result.elements ?? []).map { suggestion in
            ["title", "name", "match_field", "match_displayed"].map { CKANReading.cell(suggestion[$0]) }
        }
        return LensSection(
            "Suggestions",
            .table(LensTable(columns: ["title", "name", "found by", "found"], rows: rows))
        )
    }

    private static func cell(_ value: JSONValue?) -> LensText {
        switch value {
        case nil, .null?: return LensText("-", .faint)
        case .string(let text)?: return LensText(String(text.prefix(cellLimit)))
        case .boolean(let flag)?: return LensText(flag ? "yes" : "no")
        case .number(let number)?: return LensText(value?.integer.map { String($0) } ?? String(number))
        case .array?, .object?: return LensText(value?.kind ?? "", .faint)
        }
    }
}
