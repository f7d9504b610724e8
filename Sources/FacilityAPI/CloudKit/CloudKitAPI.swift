import Foundation

/// CloudKit web services over one public database, as a client of the dining app's container meets them.
///
/// The production environment holds menus as they should be; development, what a newer program writes there and the app cannot read.
struct CloudKitAPI: Sendable {
    /// The only container.
    static let container = "iCloud.BruinLife.MatthewDeCoste"
    /// The most operations, or names, in one request.
    static let requestLimitCount = 200
    /// The token that is known and no longer good.
    static let expiredToken = "expired"

    /// The databases, by environment.
    private let databases: [String: CloudKitRecords]
    private let types: Set<String>

    /// A database with menus around an instant.
    init(now: Date) throws {
        let modified = now.addingTimeInterval(-6 * 3600)
        let seed = MenuSeed(time: try WallTime(zone: "America/Los_Angeles"))
        let (production, development) = (seed.records(now: now), seed.records(now: now, withOddities: true))
        databases = [
            "production": CloudKitRecords(production.map { $0.record(modified: modified) }),
            "development": CloudKitRecords(development.map { $0.record(modified: modified) }),
        ]
        types = Set(production.map(\.type))
    }

    /// The answer to a request below `/database/`.
    func answer(to request: IncomingRequest) async -> Answer {
        let parts = request.path.split(separator: "/").map(String.init)
        guard parts.count == 7, parts[1] == "1", parts[5] == "records" else { return CloudKitErrors.answer(.notFound) }
        guard request.method == "POST" else {
            return CloudKitErrors.answer(.badRequest, reason: "records are asked for with POST")
        }
        if let refusal = refusal(of: request, parts) { return refusal }
        guard let records = databases[parts[3]] else { return CloudKitErrors.answer(.notFound) }
        let body: JSON
        do {
            body = try JSON(reading: request.body)
        } catch {
            return CloudKitErrors.answer(.badRequest, reason: "Unable to parse the body: \(error.reason)")
        }
        do throws(CloudKitQuery.Refusal) {
            switch parts[6] {
            case "query": return try await query(body, records)
            case "lookup": return try await lookup(body, records)
            case "modify": return try await modify(body, request, records)
            case "changes": return try await changes(body, records)
            default: return CloudKitErrors.answer(.notFound)
            }
        } catch {
            return CloudKitErrors.answer(error.code, reason: error.reason)
        }
    }

    /// The refusal of a request for its token, container, environment or database; nil where it may ask.
    private func refusal(of request: IncomingRequest, _ parts: [String]) -> Answer? {
        guard hasToken(request) else { return CloudKitErrors.answer(.authenticationFailed) }
        guard parts[2] == Self.container else {
            return CloudKitErrors.answer(.notFound, reason: "Container \(parts[2]) does not exist")
        }
        guard databases[parts[3]] != nil else {
            return CloudKitErrors.answer(.badRequest, reason: "Unknown environment \(parts[3])")
        }
        guard parts[4] == "public" else {
            guard ["private", "shared"].contains(parts[4]) else { return CloudKitErrors.answer(.notFound) }
            let url = "https://idmsa.apple.example/IDMSWebAuth/auth?oauth_token=demo"
            return CloudKitErrors.answer(.authenticationRequired, redirectURL: url)
        }
        return nil
    }

    private func hasToken(_ request: IncomingRequest) -> Bool {
        let token = request.query.value("ckAPIToken") ?? ""
        return (!token.isEmpty && token != Self.expiredToken) || isSigned(request)
    }

    /// Whether a server key signed the request; the signature itself is not checked here.
    private func isSigned(_ request: IncomingRequest) -> Bool {
        !(request.header("X-Apple-CloudKit-Request-KeyID") ?? "").isEmpty
    }

    private static func answer(_ members: [JSON.Member]) -> Answer {
        .json(200, .object(members), type: "application/json; charset=UTF-8")
    }

    private func query(_ body: JSON, _ records: CloudKitRecords) async throws(CloudKitQuery.Refusal) -> Answer {
        let present = await records.present
        let page = try CloudKitQuery(body, types: types.union(present.map(\.type))).page(of: present)
        var members: [JSON.Member] = [.init(name: "records", value: .array(page.records.map(\.json)))]
        if let marker = page.marker { members.append(.init(name: "continuationMarker", value: .string(marker))) }
        return Self.answer(members)
    }

    /// Finds records by name; a missing record is an error of its own inside a 200.
    private func lookup(_ body: JSON, _ records: CloudKitRecords) async throws(CloudKitQuery.Refusal) -> Answer {
        try CloudKitQuery.checkZone(body)
        let wanted = try Self.list(body, "records")
        let present = await records.present
        let found = wanted.map { item -> JSON in
            let name = item["recordName"]?.text ?? ""
            return present.first { $0.name == name }?.json
                ?? CloudKitErrors.record(name, .notFound, reason: "Record not found")
        }
        return Self.answer([.init(name: "records", value: .array(found))])
    }

    /// Changes records for a signed-in user or a signing server; for anyone else the public database is read-only.
    private func modify(
        _ body: JSON,
        _ request: IncomingRequest,
        _ records: CloudKitRecords
    ) async throws(CloudKitQuery.Refusal) -> Answer {
        let isUser = !(request.query.value("ckWebAuthToken") ?? "").isEmpty
        guard isUser || isSigned(request) else { return CloudKitErrors.answer(.accessDenied) }
        try CloudKitQuery.checkZone(body)
        let operations = try Self.list(body, "operations")
        let isAtomic = body["atomic"] == .bool(true)
        let (results, hasFailed) = await records.modify(operations, isAtomic: isAtomic, at: request.now)
        if hasFailed, isAtomic { return CloudKitErrors.answer(.atomicError) }
        return Self.answer([.init(name: "records", value: .array(results))])
    }

    /// The changes since a token, the oldest first; without a token, all records.
    private func changes(_ body: JSON, _ records: CloudKitRecords) async throws(CloudKitQuery.Refusal) -> Answer {
        try CloudKitQuery.checkZone(body)
        var since = -1
        if let token = body["syncToken"] {
            guard let known = token.text.flatMap({ Int($0, radix: 36) }) else {
                throw CloudKitQuery.Refusal(code: .badRequest, reason: "the syncToken is not one of this service")
            }
            since = known
        }
        let changed = await records.records.filter { $0.serial > since }.sorted { $0.serial < $1.serial }
        return Self.answer([
            .init(name: "records", value: .array(changed.map(\.json))),
            .init(name: "syncToken", value: .string(String(await records.changeCount, radix: 36))),
            .init(name: "moreComing", value: false),
        ])
    }

    private static func list(_ body: JSON, _ name: String) throws(CloudKitQuery.Refusal) -> [JSON] {
        guard let items = body[name]?.elements else {
            throw CloudKitQuery.Refusal(code: .badRequest, reason: "missing required field '\(name)'")
        }
        guard items.count <= requestLimitCount else {
            throw CloudKitQuery.Refusal(code: .badRequest, reason: "more than \(requestLimitCount) \(name)")
        }
        return items
    }
}
