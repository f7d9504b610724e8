import Foundation

/// The open-data portal's action API: every action its client knows, with CKAN's envelope and refusals.
struct OpenDataAPI: Sendable {
    private let datasets: [Dataset]
    private let time: WallTime
    private let directory: PortalDirectory
    private let activities: PortalActivities
    private let isRecent: Bool

    /// A portal whose datasets were edited on the days before an instant; a recent one keeps its activities out of its core.
    init(now: Date, isRecent: Bool = false) throws {
        datasets = DatasetSeed.datasets(now: now)
        time = try WallTime(zone: "GMT")
        directory = PortalDirectory(time: time, datasets: datasets, founded: now.addingTimeInterval(-86_400 * 2_600))
        activities = PortalActivities(time: time, datasets: datasets)
        self.isRecent = isRecent
    }

    /// The actions that a recent CKAN has only with its activity plugin.
    private static let activityActions = [
        "recently_changed_packages_activity_list", "package_activity_list", "dashboard_activity_list",
    ]
    /// The actions that exist and that no client here may do.
    private static let guardedActions = [
        "package_create", "package_update", "package_patch", "package_delete", "resource_create", "resource_update",
        "resource_delete", "datastore_create", "datastore_upsert", "datastore_delete", "user_create", "user_update",
        "dashboard_activity_list", "organization_create",
    ]

    /// The answer to `/api/3/action/<name>`, its parameters in the query or, of a POST, in a JSON object.
    func answer(to request: IncomingRequest) -> Answer {
        let action = String(request.path.split(separator: "/").last ?? "")
        guard ["GET", "HEAD", "POST"].contains(request.method) else {
            return FaultAnswers.page(405, "Method Not Allowed").adding("Allow", "GET, HEAD, POST")
        }
        if isRecent, Self.activityActions.contains(action) { return OpenDataErrors.unknownAction(action) }
        if Self.guardedActions.contains(action) { return OpenDataErrors.authorization(action, request) }
        var query = request.query
        if request.method == "POST", !request.body.isEmpty {
            guard let body = try? JSON(reading: request.body), case .object(let members) = body else {
                return .json(
                    400,
                    .string("Bad request - JSON Error: Error decoding JSON data."),
                    type: OpenDataErrors.type
                )
            }
            query = query.adding(members.map { .init(name: $0.name, value: $0.value.text ?? $0.value.compactText) })
        }
        return answer(action, query, request)
    }

    private func answer(_ action: String, _ query: Query, _ request: IncomingRequest) -> Answer {
        switch action {
        case "package_search": return search(query, request)
        case "package_show": return show(query, request)
        case "recently_changed_packages_activity_list", "package_activity_list":
            return activityList(action, query, request)
        case "package_list": return page(datasets.map(\.name).sorted(), action, query, request)
        case "tag_list":
            let tags = Set(datasets.flatMap(\.tags)).sorted()
            let wanted = (query.value("query") ?? "").lowercased()
            return success(.strings(wanted.isEmpty ? tags : tags.filter { $0.contains(wanted) }), action, request)
        case "package_autocomplete": return success(.array(completions(query)), action, request)
        case "datastore_search": return records(query, request)
        case "user_list": return success(.array(directory.users), action, request)
        case "user_show":
            guard let id = query.value("id"), !id.isEmpty else { return missing("id", action, request) }
            return directory.user(id).map { success($0, action, request) } ?? OpenDataErrors.notFound(action, request)
        case "vocabulary_list": return success(.array(directory.vocabularies), action, request)
        case "help_show":
            guard let name = query.value("name"), !name.isEmpty else { return missing("name", action, request) }
            return PortalDirectory.help(name).map { success(.string($0), action, request) }
                ?? OpenDataErrors.notFound(action, request, "Not found")
        default: return OpenDataErrors.unknownAction(action)
        }
    }

    private func success(_ result: JSON, _ action: String, _ request: IncomingRequest) -> Answer {
        .json(
            200,
            ["help": OpenDataErrors.help(action, request), "success": true, "result": result],
            type: OpenDataErrors.type
        )
    }

    private func missing(_ name: String, _ action: String, _ request: IncomingRequest) -> Answer {
        OpenDataErrors.validation([.init(name: name, value: ["Missing value"])], action, request)
    }

    /// Numbers from 0 by name, or the refusal that names those that are none.
    private func naturals(_ names: [(String, Int)], _ query: Query) -> (values: [Int], refused: [JSON.Member]) {
        let values = names.map { name, standard in query.value(name).map { Int($0) ?? -1 } ?? standard }
        let refused = zip(names, values).filter { $0.1 < 0 }.map { pair in
            JSON.Member(name: pair.0.0, value: ["Must be a natural number"])
        }
        return (values, refused)
    }

    private func page(_ names: [String], _ action: String, _ query: Query, _ request: IncomingRequest) -> Answer {
        let (values, refused) = naturals([("limit", names.count), ("offset", 0)], query)
        guard refused.isEmpty else { return OpenDataErrors.validation(refused, action, request) }
        return success(.strings(names.dropFirst(values[1]).prefix(values[0])), action, request)
    }

    private func search(_ query: Query, _ request: IncomingRequest) -> Answer {
        do throws(DatasetSearch.Refusal) {
            let search = try DatasetSearch(query)
            let result = search.result(in: datasets) { $0.json(time: time, origin: request.origin) }
            return success(result, "package_search", request)
        } catch {
            switch error {
            case .parameters(let reasons): return OpenDataErrors.validation(reasons, "package_search", request)
            case .sort: return OpenDataErrors.search("package_search", request, "Invalid \"sort\" parameter")
            case .syntax: return OpenDataErrors.engine("package_search", request)
            }
        }
    }

    /// One dataset by id or name; an unknown one is an HTML page, as this portal's front server makes of every such 404.
    private func show(_ query: Query, _ request: IncomingRequest) -> Answer {
        guard let id = query.value("id"), !id.isEmpty else { return missing("name_or_id", "package_show", request) }
        guard let dataset = datasets.first(where: { $0.id == id || $0.name == id }) else {
            return FaultAnswers.page(404, "Not Found")
        }
        return success(dataset.json(time: time, origin: request.origin), "package_show", request)
    }

    private func activityList(_ action: String, _ query: Query, _ request: IncomingRequest) -> Answer {
        let (values, refused) = naturals([("limit", 31), ("offset", 0)], query)
        guard refused.isEmpty else { return OpenDataErrors.validation(refused, action, request) }
        var dataset: Dataset?
        if action == "package_activity_list" {
            guard let id = query.value("id"), !id.isEmpty else { return missing("id", action, request) }
            dataset = datasets.first { $0.id == id || $0.name == id }
            // A title is neither: the client that keeps favourites by title ends up here.
            guard dataset != nil else { return OpenDataErrors.notFound(action, request) }
        }
        let shown = activities.list(of: dataset, offset: values[1], limit: min(values[0], 100), origin: request.origin)
        return success(.array(shown), action, request)
    }

    private func completions(_ query: Query) -> [JSON] {
        let start = (query.value("q") ?? "").lowercased()
        guard !start.isEmpty else { return [] }
        let limit = max(0, query.integer("limit") ?? 10)
        return datasets.filter { $0.name.contains(start) || $0.title.lowercased().contains(start) }.prefix(limit).map {
            let isName = $0.name.contains(start)
            return [
                "name": .string($0.name), "title": .string($0.title), "match_field": isName ? "name" : "title",
                "match_displayed": .string(isName ? "\($0.name)" : $0.title),
            ]
        }
    }

    /// Rows of a resource, as many as are asked for and the resource has.
    private func records(_ query: Query, _ request: IncomingRequest) -> Answer {
        let action = "datastore_search"
        let id = query.value("resource_id") ?? query.value("id") ?? ""
        guard !id.isEmpty else { return missing("resource_id", action, request) }
        let (values, refused) = naturals([("limit", 100), ("offset", 0)], query)
        guard refused.isEmpty else { return OpenDataErrors.validation(refused, action, request) }
        let limit = min(values[0], 32_000)
        if id == QualityScores.resourceID {
            let scores = QualityScores(datasets: datasets)
            return success(scores.result(limit: limit, offset: min(values[1], datasets.count)), action, request)
        }
        guard
            let dataset = datasets.first(where: { dataset in
                dataset.formats.indices.contains { dataset.resourceID($0) == id }
            })
        else { return FaultAnswers.page(404, "Not Found") }
        let rows = ResourceRows(dataset: dataset, resourceID: id)
        return success(rows.result(limit: limit, offset: min(values[1], dataset.recordCount)), action, request)
    }
}
