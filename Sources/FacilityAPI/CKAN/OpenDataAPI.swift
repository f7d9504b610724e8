import Foundation

/// The open-data portal's action API, as far as its client goes.
struct OpenDataAPI: Sendable {
    private let datasets: [Dataset]
    private let time: WallTime

    /// A portal whose datasets were edited on the days before an instant.
    init(now: Date) throws {
        datasets = DatasetSeed.datasets(now: now)
        time = try WallTime(zone: "GMT")
    }

    /// The answer to `/api/3/action/<name>`.
    func answer(to request: IncomingRequest) -> Answer {
        let action = String(request.path.split(separator: "/").last ?? "")
        guard ["GET", "HEAD", "POST"].contains(request.method) else {
            return FaultAnswers.page(405, "Method Not Allowed").adding("Allow", "GET, HEAD, POST")
        }
        switch action {
        case "package_search": return search(request)
        case "package_show": return show(request)
        case "recently_changed_packages_activity_list": return activities(request)
        case "package_list": return success(.strings(datasets.map(\.name).sorted()), action, request)
        case "tag_list": return success(.strings(Set(datasets.flatMap(\.tags)).sorted()), action, request)
        case "package_autocomplete": return success(.array(completions(request)), action, request)
        case "datastore_search": return records(request)
        case "help_show":
            let name = request.query.value("name") ?? ""
            return success(.string("\(name): an action of this portal."), action, request)
        default:
            return .json(400, .string("Bad request: Action name not known: \(action)"), type: Self.type)
        }
    }

    private static let type = "application/json;charset=utf-8"

    private func success(_ result: JSON, _ action: String, _ request: IncomingRequest) -> Answer {
        .json(200, ["help": help(action, request), "success": true, "result": result], type: Self.type)
    }

    private func validationError(_ reasons: [JSON.Member], _ action: String, _ request: IncomingRequest) -> Answer {
        let error = JSON.object(reasons + [.init(name: "__type", value: "Validation Error")])
        return .json(409, ["help": help(action, request), "success": false, "error": error], type: Self.type)
    }

    private func help(_ action: String, _ request: IncomingRequest) -> JSON {
        .string("\(request.origin)/api/3/action/help_show?name=\(action)")
    }

    private func search(_ request: IncomingRequest) -> Answer {
        do throws(DatasetSearch.Refusal) {
            let search = try DatasetSearch(request.query)
            let result = search.result(in: datasets) { $0.json(time: time, origin: request.origin) }
            return success(result, "package_search", request)
        } catch {
            return validationError(error.reasons, "package_search", request)
        }
    }

    /// One dataset by id or name; an unknown one is an HTML page, as this portal's front server makes of every 404.
    private func show(_ request: IncomingRequest) -> Answer {
        guard let id = request.query.value("id"), !id.isEmpty else {
            return validationError([.init(name: "name_or_id", value: ["Missing value"])], "package_show", request)
        }
        guard let dataset = datasets.first(where: { $0.id == id || $0.name == id }) else {
            return FaultAnswers.page(404, "Not Found")
        }
        return success(dataset.json(time: time, origin: request.origin), "package_show", request)
    }

    private func activities(_ request: IncomingRequest) -> Answer {
        let action = "recently_changed_packages_activity_list"
        let limit = request.query.value("limit").map { Int($0) ?? -1 } ?? 31
        let offset = request.query.value("offset").map { Int($0) ?? -1 } ?? 0
        let refused = [("limit", limit), ("offset", offset)].filter { $0.1 < 0 }
        guard refused.isEmpty else {
            return validationError(
                refused.map { .init(name: $0.0, value: ["Must be a natural number"]) },
                action,
                request
            )
        }
        // Every dataset was changed several times, so that there are pages to scroll through.
        let rounds = (0..<6).flatMap { round in datasets.map { (round, $0) } }
        let shown = rounds.dropFirst(offset).prefix(min(limit, 100)).map { round, dataset -> JSON in
            [
                "id": .string(dataset.resourceID(100 + round)),
                "timestamp": .string(time.naive(dataset.modified.addingTimeInterval(-Double(round) * 86_400 * 60))),
                "user_id": "5d1c6a37-0000-4a66-b1b4-7c1e5b3f9a02", "object_id": .string(dataset.id),
                "revision_id": .string(dataset.resourceID(200 + round)),
                "activity_type": .string(round == 5 ? "new package" : "changed package"),
                "data": ["actor": "admin", "package": dataset.json(time: time, origin: request.origin)],
            ]
        }
        return success(.array(Array(shown)), action, request)
    }

    private func completions(_ request: IncomingRequest) -> [JSON] {
        let start = (request.query.value("q") ?? "").lowercased()
        guard !start.isEmpty else { return [] }
        return datasets.filter { $0.name.contains(start) || $0.title.lowercased().contains(start) }.prefix(10).map {
            let isName = $0.name.contains(start)
            return [
                "name": .string($0.name), "title": .string($0.title), "match_field": isName ? "name" : "title",
                "match_displayed": .string(isName ? $0.name : $0.title),
            ]
        }
    }

    /// Rows of a resource: invented points, as many as are asked for and the resource has.
    private func records(_ request: IncomingRequest) -> Answer {
        let id = request.query.value("resource_id") ?? request.query.value("id") ?? ""
        guard !id.isEmpty else {
            return validationError(
                [.init(name: "resource_id", value: ["Missing value"])],
                "datastore_search",
                request
            )
        }
        guard
            let dataset = datasets.first(where: { dataset in
                dataset.formats.indices.contains { dataset.resourceID($0) == id }
            })
        else { return FaultAnswers.page(404, "Not Found") }
        let limit = min(max(0, request.query.integer("limit") ?? 100), 32_000)
        let offset = min(max(0, request.query.integer("offset") ?? 0), dataset.recordCount)
        let numbers = (offset..<dataset.recordCount).prefix(limit)
        let records = numbers.map { number -> JSON in
            let longitude = -79.60 + Double((number * 37 + dataset.number * 11) % 480) / 1_000
            let latitude = 43.60 + Double((number * 53 + dataset.number * 7) % 240) / 1_000
            return [
                "_id": .int(number + 1), "NAME": .string("\(dataset.title) \(number + 1)"),
                "geometry": .string("{\"type\": \"Point\", \"coordinates\": [\(longitude), \(latitude)]}"),
            ]
        }
        let link = "/api/3/action/datastore_search?id=\(id)&limit=\(limit)"
        return success(
            [
                "include_total": true, "resource_id": .string(id),
                "fields": [
                    ["id": "_id", "type": "int"], ["id": "NAME", "type": "text"], ["id": "geometry", "type": "text"],
                ],
                "records_format": "objects", "records": .array(Array(records)), "limit": .int(limit),
                "_links": ["start": .string(link), "next": .string("\(link)&offset=\(offset + limit)")],
                "total": .int(dataset.recordCount),
            ],
            "datastore_search",
            request
        )
    }
}
