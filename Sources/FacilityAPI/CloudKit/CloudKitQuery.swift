import Foundation

/// A query over records: one type, filters by day or name, an order, a page.
struct CloudKitQuery: Sendable {
    /// The most records one answer holds, whatever is asked.
    static let pageLimit = 200

    /// A reason why a query is refused.
    struct Refusal: Error {
        let code: CloudKitErrors.Code
        var reason: String?
    }

    private let type: String
    private let filters: [@Sendable (CloudKitRecord) -> Bool]
    private let isDescending: Bool
    private let limit: Int
    private let first: Int

    /// Reads a request's body.
    ///
    /// - Throws: ``Refusal`` naming what is wrong.
    init(_ body: JSON, types: Set<String>) throws(Refusal) {
        guard let type = body["query"]?["recordType"]?.text else {
            throw Refusal(code: .badRequest, reason: "missing required field 'recordType'")
        }
        guard types.contains(type) else {
            throw Refusal(code: .badRequest, reason: "Did not find record type: \(type)")
        }
        try Self.checkZone(body)
        var filters: [@Sendable (CloudKitRecord) -> Bool] = []
        for filter in body["query"]?["filterBy"]?.elements ?? [] { filters.append(try Self.filter(filter)) }
        let order = body["query"]?["sortBy"]?.elements?.first
        if let order, order["fieldName"]?.text != "Day" {
            throw Refusal(code: .badRequest, reason: "Field '\(order["fieldName"]?.text ?? "")' is not marked sortable")
        }
        let wanted = body["resultsLimit"]?.integer ?? Self.pageLimit
        guard wanted > 0 else { throw Refusal(code: .badRequest, reason: "resultsLimit must be positive") }
        first = try Self.position(body["continuationMarker"])
        self.type = type
        self.filters = filters
        isDescending = order?["ascending"] == .bool(false)
        limit = min(wanted, Self.pageLimit)
    }

    /// The page's records, and the marker that asks for the next; nil at the end.
    func page(of records: [CloudKitRecord]) -> (records: [CloudKitRecord], marker: String?) {
        var found = records.filter { record in record.type == type && filters.allSatisfy { $0(record) } }
            .sorted { ($0.dayMilliseconds ?? 0, $0.name) < ($1.dayMilliseconds ?? 0, $1.name) }
        if isDescending { found.reverse() }
        let start = min(first, found.count)
        let next = start + limit
        let marker = next < found.count ? Data(String(next).utf8).base64EncodedString() : nil
        return (Array(found[start...].prefix(limit)), marker)
    }

    /// Refuses any zone but the default one.
    static func checkZone(_ body: JSON) throws(Refusal) {
        if let zone = body["zoneID"]?["zoneName"]?.text, zone != "_defaultZone" { throw Refusal(code: .zoneNotFound) }
    }

    private static func position(_ marker: JSON?) throws(Refusal) -> Int {
        guard let marker else { return 0 }
        let data = marker.text.flatMap { Data(base64Encoded: $0) }
        guard let position = data.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }), position >= 0 else {
            throw Refusal(code: .badRequest, reason: "the continuationMarker is not one of this service")
        }
        return position
    }

    private static func filter(_ filter: JSON) throws(Refusal) -> @Sendable (CloudKitRecord) -> Bool {
        let comparator = filter["comparator"]?.text ?? ""
        let value = filter["fieldValue"]?["value"]
        switch filter["fieldName"]?.text {
        case "Day":
            if comparator == "IN", let days = value?.elements?.compactMap(\.integer) {
                return { record in record.dayMilliseconds.map(days.contains) ?? false }
            }
            guard let compare = comparison(comparator) else {
                throw Refusal(code: .badRequest, reason: "Unknown comparator \(comparator)")
            }
            guard let bound = value?.integer else {
                throw Refusal(code: .badRequest, reason: "the value of 'Day' is not a TIMESTAMP")
            }
            return { record in record.dayMilliseconds.map { compare($0, bound) } ?? false }
        case "recordName":
            guard comparator == "EQUALS", let name = value?.text ?? value?["recordName"]?.text else {
                throw Refusal(code: .badRequest, reason: "'recordName' is compared with EQUALS")
            }
            return { $0.name == name }
        default:
            throw Refusal(code: .badRequest, reason: "Field is not marked queryable, or the filter is incomplete")
        }
    }

    private static func comparison(_ name: String) -> (@Sendable (Int, Int) -> Bool)? {
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
}
