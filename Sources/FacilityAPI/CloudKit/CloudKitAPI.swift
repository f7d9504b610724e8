import Foundation

/// CloudKit web services over one public database, as a client of the dining app's container meets them.
struct CloudKitAPI: Sendable {
    /// The one container there is.
    static let container = "iCloud.BruinLife.MatthewDeCoste"

    private let records: [MenuRecord]
    private let modified: Date

    /// A database with menus around an instant.
    init(now: Date) throws {
        records = MenuSeed(time: try WallTime(zone: "America/Los_Angeles")).records(now: now)
        modified = now.addingTimeInterval(-6 * 3600)
    }

    /// The answer to a request below `/database/`.
    func answer(to request: IncomingRequest) -> Answer {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 7, parts[1] == "1", parts[5] == "records" else { return CloudKitErrors.answer(.notFound) }
        guard request.method == "POST" else {
            return CloudKitErrors.answer(.badRequest, reason: "records are asked for with POST")
        }
        guard hasToken(request) else { return CloudKitErrors.answer(.authenticationFailed) }
        guard parts[2] == Self.container else {
            return CloudKitErrors.answer(.notFound, reason: "Container \(parts[2]) does not exist")
        }
        guard ["production", "development"].contains(parts[3]) else {
            return CloudKitErrors.answer(.badRequest, reason: "Unknown environment \(parts[3])")
        }
        guard parts[4] == "public" else {
            guard ["private", "shared"].contains(parts[4]) else { return CloudKitErrors.answer(.notFound) }
            let url = "https://idmsa.apple.example/IDMSWebAuth/auth?oauth_token=demo"
            return CloudKitErrors.answer(.authenticationRequired, redirectURL: url)
        }
        let body: JSON
        do {
            body = try JSON(reading: request.body)
        } catch {
            let reason = (error as? JSON.ReadingError)?.reason ?? "\(error)"
            return CloudKitErrors.answer(.badRequest, reason: "Unable to parse the body: \(reason)")
        }
        switch parts[6] {
        case "query": return query(body)
        case "lookup": return lookup(body)
        case "modify": return CloudKitErrors.answer(.accessDenied)
        default: return CloudKitErrors.answer(.notFound)
        }
    }

    private func hasToken(_ request: IncomingRequest) -> Bool {
        let token = request.query.value("ckAPIToken") ?? ""
        let keyID = request.header("X-Apple-CloudKit-Request-KeyID") ?? ""
        return !token.isEmpty || !keyID.isEmpty
    }

    private static func records(_ records: [JSON], continuation: String? = nil) -> Answer {
        var members: [JSON.Member] = [.init(name: "records", value: .array(records))]
        if let continuation { members.append(.init(name: "continuationMarker", value: .string(continuation))) }
        return .json(200, .object(members), type: "application/json; charset=UTF-8")
    }

    private func query(_ body: JSON) -> Answer {
        guard let type = body["query"]?["recordType"]?.text else {
            return CloudKitErrors.answer(.badRequest, reason: "missing required field 'recordType'")
        }
        guard records.contains(where: { $0.type == type }) else {
            return CloudKitErrors.answer(.badRequest, reason: "Did not find record type: \(type)")
        }
        if let zone = body["zoneID"]?["zoneName"]?.text, zone != "_defaultZone" {
            return CloudKitErrors.answer(.zoneNotFound)
        }
        var found = records.filter { $0.type == type }
        for filter in body["query"]?["filterBy"]?.elements ?? [] {
            guard filter["fieldName"]?.text == "Day", let comparator = filter["comparator"]?.text,
                let bound = filter["fieldValue"]?["value"]?.integer
            else {
                return CloudKitErrors.answer(
                    .badRequest,
                    reason: "Field is not marked queryable, or the filter is incomplete"
                )
            }
            guard let compare = Self.comparison(comparator) else {
                return CloudKitErrors.answer(.badRequest, reason: "Unknown comparator \(comparator)")
            }
            found = found.filter { $0.dayMilliseconds.map { compare($0, bound) } ?? false }
        }
        found.sort { ($0.dayMilliseconds ?? 0) < ($1.dayMilliseconds ?? 0) }
        if body["query"]?["sortBy"]?.elements?.first?["ascending"] == .bool(false) { found.reverse() }
        let limit = min(max(1, body["resultsLimit"]?.integer ?? 200), 200)
        let marker = body["continuationMarker"]?.text.flatMap { Data(base64Encoded: $0) }
        let first = min(max(0, marker.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0), found.count)
        let next = first + limit
        return Self.records(
            found[first...].prefix(limit).map { $0.json(modified: modified) },
            continuation: next < found.count ? Data(String(next).utf8).base64EncodedString() : nil
        )
    }

    private static func comparison(_ name: String) -> ((Int, Int) -> Bool)? {
        switch name {
        case "EQUALS": { $0 == $1 }
        case "NOT_EQUALS": { $0 != $1 }
        case "LESS_THAN": { $0 < $1 }
        case "LESS_THAN_OR_EQUALS": { $0 <= $1 }
        case "GREATER_THAN": { $0 > $1 }
        case "GREATER_THAN_OR_EQUALS": { $0 >= $1 }
        default: nil
        }
    }

    /// Records by name; one that is missing is an error of its own inside a 200.
    private func lookup(_ body: JSON) -> Answer {
        guard let wanted = body["records"]?.elements, wanted.count <= 200 else {
            return CloudKitErrors.answer(.badRequest, reason: "missing required field 'records'")
        }
        return Self.records(
            wanted.map { item in
                let name = item["recordName"]?.text ?? ""
                if let record = records.first(where: { $0.name == name }) { return record.json(modified: modified) }
                return [
                    "recordName": .string(name), "reason": "Record not found", "serverErrorCode": "NOT_FOUND",
                ]
            }
        )
    }
}
