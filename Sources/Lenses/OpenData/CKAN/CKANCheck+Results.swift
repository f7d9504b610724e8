import Traffic

/// The checks of results, by action.
extension CKANCheck {
    mutating func checkResult(_ result: JSONValue) {
        let action = reading.request.action
        let lists: Set = [
            "recently_changed_packages_activity_list", "package_activity_list", "tag_list", "package_list", "user_list",
            "vocabulary_list", "package_autocomplete",
        ]
        switch action {
        case _ where lists.contains(action):
            guard let elements = result.elements else {
                return add(CKANRule.shape, at: "/result", "\(action) gives a list, and here \(result.kind)")
            }
            if action.hasSuffix("activity_list") { checkChanges(elements) }
            if ["tag_list", "package_list"].contains(action),
                let place = elements.firstIndex(where: { $0.string == nil })
            {
                add(CKANRule.shape, at: "/result/\(place)", "a name is \(elements[place].kind)")
            }
        case "package_search": checkSearch(result)
        case "package_show", "user_show":
            guard result.isObject else { return add(CKANRule.shape, at: "/result", "the result is \(result.kind)") }
        case "datastore_search": checkRecords(result)
        case "help_show":
            if result.string == nil { add(CKANRule.shape, at: "/result", "the help is \(result.kind)") }
        default: break
        }
        checkPackages()
    }

    private mutating func checkSearch(_ result: JSONValue) {
        guard let results = result["results"]?.elements, let count = result["count"]?.integer else {
            return add(CKANRule.shape, at: "/result", "the result has no count with results")
        }
        let request = reading.request
        if Int64(results.count) > count {
            add(CKANRule.found, at: "/result/count", "count is \(count), and \(results.count) results are here")
        }
        let rows = min(request.limit ?? 10, 1000)
        if results.count > rows {
            add(CKANRule.found, at: "/result/results", "\(results.count) results, \(rows) were asked for")
        }
        let wanted = min(Int64(rows), max(0, count - Int64(request.start)))
        if Int64(results.count) < wanted {
            add(
                CKANRule.found,
                at: "/result/results",
                "\(results.count) results from row \(request.start &+ 1), and count \(count) promises \(wanted)"
            )
        }
        checkFacets(result)
    }

    private mutating func checkFacets(_ result: JSONValue) {
        guard case .object(let fields)? = result["facets"], case .object(let searched)? = result["search_facets"] else {
            return
        }
        let lists = Dictionary(searched.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for field in fields {
            guard let items = lists[field.name]?["items"]?.elements,
                case .object(let values) = field.value
            else { continue }
            let listed = Dictionary(
                items.compactMap { item in (item["name"]?.string).map { ($0, item["count"]?.integer) } },
                uniquingKeysWith: { _, last in last }
            )
            for value in values where listed[value.name] != value.value.integer {
                let pointer = JSONPointer.child(value.name, of: JSONPointer.child(field.name, of: "/result/facets"))
                let other = (listed[value.name] ?? nil).map { "\($0)" } ?? "nothing"
                let own = value.value.integer.map { "\($0)" } ?? value.value.kind
                add(CKANRule.facets, at: pointer, "\(value.name) counts \(own) in facets, \(other) in search_facets")
            }
        }
    }

    private mutating func checkRecords(_ result: JSONValue) {
        // Rows may be asked for as one text, or as lists.
        guard ["objects", nil].contains(reading.request.value("records_format")) else { return }
        guard let records = result["records"]?.elements, let fields = result["fields"]?.elements else {
            return add(CKANRule.shape, at: "/result", "the result has no fields with records")
        }
        let limit = result["limit"]?.integer ?? reading.request.limit.map { Int64($0) } ?? 100
        if Int64(records.count) > limit {
            add(CKANRule.records, at: "/result/records", "\(records.count.counted("record")), the limit is \(limit)")
        }
        let total = result["total"]?.integer
        if let total, Int64(reading.request.start) + Int64(records.count) > total, !records.isEmpty {
            add(CKANRule.records, at: "/result/total", "total is \(total), and the records here go beyond it")
        }
        let names = Set(fields.compactMap { $0["id"]?.string })
        for (index, record) in records.enumerated() {
            guard case .object(let members) = record else {
                add(CKANRule.records, at: "/result/records/\(index)", "a record is \(record.kind)")
                continue
            }
            for member in members where !names.contains(member.name) {
                let pointer = JSONPointer.child(member.name, of: "/result/records/\(index)")
                add(CKANRule.records, at: pointer, "\(member.name) is no declared field")
            }
        }
        checkMap(records, total: total)
    }

    private mutating func checkMap(_ records: [JSONValue], total: Int64?) {
        let geometry = RecordGeometry(records: records)
        guard geometry.isMap else { return }
        if let place = geometry.firstWithoutPin {
            let without = geometry.others + geometry.unreadable
            add(
                CKANRule.pins,
                at: "/result/records/\(place)/geometry",
                "\(without) of \(records.count.counted("row")) \(without == 1 ? "is no point" : "are no points") (\(geometry.sentence)); "
                    + "this is the first"
            )
        }
        if let total, reading.request.start == 0, total > Int64(records.count) {
            let were = records.count == 1 ? "was" : "were"
            add(CKANRule.wholeMap, at: "/result/total", "\(records.count) of \(total.counted("row")) \(were) asked for")
        }
    }

    private mutating func checkChanges(_ activities: [JSONValue]) {
        if let limit = reading.request.limit, activities.count > limit {
            let were = limit == 1 ? "was" : "were"
            add(CKANRule.page, at: "/result", "\(activities.count.counted("change")), \(limit) \(were) asked for")
        }
        var ids: Set<String> = []
        var last: Int64?
        for (index, activity) in activities.enumerated() {
            let pointer = "/result/\(index)"
            if let id = activity["id"]?.string, !ids.insert(id).inserted {
                add(CKANRule.page, at: pointer + "/id", "the change \(id) is here twice")
            }
            let missing = ["object_id", "timestamp"].filter { Dataset.text(activity[$0]) == nil }
            if !missing.isEmpty {
                add(CKANRule.change, at: pointer, "\(missing.joined(separator: " and ")) is missing")
            }
            let hasPackage = activity["data"]?["package"]?.isObject ?? false
            if !hasPackage { add(CKANRule.change, at: pointer + "/data", "there is no package") }
            checkDate(activity["timestamp"], at: pointer + "/timestamp")
            guard let time = activity["timestamp"]?.string.flatMap(Timestamp.microseconds) else { continue }
            if let last, time > last {
                add(CKANRule.page, at: pointer + "/timestamp", "the change is newer than the one before it")
            }
            last = time
        }
    }
}
