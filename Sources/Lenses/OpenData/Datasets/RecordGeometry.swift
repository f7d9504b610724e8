import Traffic

/// What the rows of a resource have on a map, and what the app's map makes of it.
package struct RecordGeometry: Sendable, Equatable {
    /// Rows that were looked at.
    package private(set) var records = 0
    /// Rows by the type of their geometry, as GeoJSON names it (RFC 7946 §1.4).
    package private(set) var types: [String: Int] = [:]
    /// Rows whose geometry is missing, null or empty.
    package private(set) var missing = 0
    /// Rows whose geometry is no GeoJSON.
    package private(set) var unreadable = 0
    /// Where they lie; `nil` where no row has a position.
    package private(set) var extent: MapExtent?
    /// Where the first row stands whose geometry is neither missing nor a point.
    private(set) var firstWithoutPin: Int?

    /// The types that there are.
    private static let names: Set = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection",
    ]

    package init() {}

    init(records: [JSONValue]) {
        for record in records { add(record) }
    }

    /// Rows that are points.
    package var points: Int { types["Point"] ?? 0 }
    /// Rows of other kinds, which the app's map leaves out.
    package var others: Int { types.values.reduce(0, +) - points }
    /// Whether any row has a geometry at all.
    package var isMap: Bool { records > missing }

    /// Counts one row.
    private mutating func add(_ record: JSONValue) {
        records += 1
        guard let geometry = record["geometry"], !geometry.isNull else {
            missing += 1
            return
        }
        let shape: JSONValue
        if let text = geometry.string {
            guard !["", "none", "null"].contains(text.lowercased()) else {
                missing += 1
                return
            }
            shape = (try? JSONReader.value(Array(text.utf8))) ?? .null
        } else {
            shape = geometry
        }
        guard let type = shape["type"]?.string, RecordGeometry.names.contains(type),
            type != "Point" || RecordGeometry.isPosition(shape["coordinates"])
        else {
            unreadable += 1
            if firstWithoutPin == nil { firstWithoutPin = records - 1 }
            return
        }
        types[type, default: 0] += 1
        extent = MapExtent.union(extent, MapExtent(shape["coordinates"]))
        if type != "Point", firstWithoutPin == nil { firstWithoutPin = records - 1 }
    }

    /// Adds the counts of further rows.
    mutating func add(_ other: RecordGeometry) {
        if firstWithoutPin == nil { firstWithoutPin = other.firstWithoutPin.map { $0 + records } }
        records += other.records
        extent = MapExtent.union(extent, other.extent)
        missing += other.missing
        unreadable += other.unreadable
        types.merge(other.types, uniquingKeysWith: +)
    }

    /// The counts in words: `640 points; 3 MultiLineString; 2 without`.
    package var sentence: String {
        var parts = ["\(points) point\(points == 1 ? "" : "s")"]
        parts += types.filter { $0.key != "Point" }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        if missing > 0 { parts.append("\(missing) without geometry") }
        if unreadable > 0 { parts.append("\(unreadable) unreadable") }
        return parts.joined(separator: ", ")
    }

    private static func isPosition(_ value: JSONValue?) -> Bool {
        guard let numbers = value?.elements, numbers.count >= 2 else { return false }
        return numbers.prefix(2).allSatisfy { $0.number != nil }
    }
}
