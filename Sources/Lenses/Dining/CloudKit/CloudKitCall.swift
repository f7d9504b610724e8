import Foundation
import Traffic

/// A request to CloudKit web services.
struct CloudKitCall: Sendable {
    /// A condition that a query has for a field.
    struct Condition: Sendable {
        let field: String
        let comparator: String
        let value: CloudKitRecord.Field?
    }

    /// A change that a `modify` asks for.
    struct Change: Sendable {
        let kind: String
        let record: CloudKitRecord
    }

    var container: String?
    var environment: String?
    var database: String?
    /// `query`, `lookup`, `modify`, `changes` or whatever the path ends with.
    var operation: String
    var zone: String?
    var recordType: String?
    var conditions: [Condition] = []
    var sorts: [(field: String, isAscending: Bool)] = []
    var limit: Int64?
    var desiredKeys: [String] = []
    /// Names of records that a `lookup` asks for.
    var names: [String] = []
    var changes: [Change] = []
    /// Whether the request continues an earlier answer, by a `continuationMarker` or a `syncToken`.
    var isContinued = false
    /// Why the body cannot be read, the end of a sentence; `nil` where it can.
    var problem: String?
    /// The kinds of credentials in the request, in words; never their values.
    var credentials: [String]

    /// Reads the request of a capture.
    init(_ capture: Capture) {
        let parts = QueryString.steps(capture.path)
        if let start = parts.firstIndex(of: "database"), parts.count >= start + 5 {
            (container, environment, database) =
                (String(parts[start + 2]), String(parts[start + 3]), String(parts[start + 4]))
        }
        operation = parts.last.map(String.init) ?? ""
        credentials = Self.credentials(of: capture)
        guard !capture.request.isEmpty else { return }
        do {
            read(try capture.request.looseJSON())
        } catch {
            problem = error.description
        }
    }

    private mutating func read(_ body: JSONValue) {
        zone = body["zoneID"]?["zoneName"]?.string ?? body["zones"]?.elements?.first?["zoneID"]?["zoneName"]?.string
        let query = body["query"] ?? .null
        recordType = query["recordType"]?.string
        conditions = (query["filterBy"]?.elements ?? []).map { filter in
            let field = filter["fieldName"]?.string ?? filter["systemFieldName"]?.string ?? "?"
            let value = filter["fieldValue"].map {
                CloudKitRecord.Field(name: field, value: $0["value"] ?? .null, type: $0["type"]?.string, pointer: "")
            }
            return Condition(field: field, comparator: filter["comparator"]?.string ?? "", value: value)
        }
        sorts = (query["sortBy"]?.elements ?? []).map { sort in
            let field = sort["fieldName"]?.string ?? sort["systemFieldName"]?.string ?? "?"
            return (field, sort["ascending"]?.boolean ?? true)
        }
        limit = body["resultsLimit"]?.integer
        desiredKeys = (body["desiredKeys"]?.elements ?? []).compactMap(\.string)
        names = (body["records"]?.elements ?? []).map { $0["recordName"]?.string ?? "?" }
        changes = (body["operations"]?.elements ?? []).enumerated().map { index, change in
            let pointer = JSONPointer.child("record", of: JSONPointer.child(index, of: "/operations"))
            return Change(
                kind: change["operationType"]?.string ?? "?",
                record: CloudKitRecord(change["record"] ?? .null, at: pointer)
            )
        }
        isContinued = [body["continuationMarker"], body["syncToken"]].contains { $0?.isNull == false }
    }

    /// The kinds of credentials in a request, by name; their values are not shown.
    private static func credentials(of capture: Capture) -> [String] {
        var found: [String] = []
        let items = QueryString.items(capture.exchange.target)
        for (name, words) in [("ckAPIToken", "an API token"), ("ckWebAuthToken", "a signed-in person's token")]
        where items.contains(where: { $0.name == name }) { found.append(words) }
        if capture.requestField("X-Apple-CloudKit-Request-SignatureV1") != nil {
            found.append("a server's signature")
        } else if capture.requestField("X-Apple-CloudKit-Request-KeyID") != nil {
            found.append("a server's key without a signature")
        }
        return found
    }
}
