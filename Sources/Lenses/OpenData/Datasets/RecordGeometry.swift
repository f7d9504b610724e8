import Traffic

/// The counts of a resource's rows by their geometry, and what the app's map shows of them.
package struct RecordGeometry: Sendable, Equatable {
    /// The count of rows.
    package private(set) var records = 0
    /// Rows by the type of their geometry, as GeoJSON names it (RFC 7946 §1.4).
    package private(set) var types: [String: Int] = [:]
    /// Rows whose geometry is missing, null or empty.
    package private(set) var missing = 0
    /// Rows whose geometry is no GeoJSON.
    package private(set) var unreadable = 0
    /// The extent of all rows; `nil` where no row has a position.
    package private(set) var extent: MapExtent?
    /// The index of the first row whose geometry is neither missing nor a point; `nil` where there is none.
    private(set) var firstWithoutPin: Int?

    package init() {}

    init(records: [JSONValue]) {
        for record in records {
            let (row, extent) = RowGeometry.read(record)
            add(row)
            self.extent = MapExtent.union(self.extent, extent)
        }
    }

    /// Counts rows that lie within an extent.
    init(_ rows: some Sequence<RowGeometry>, extent: MapExtent?) {
        for row in rows { add(row) }
        self.extent = extent
    }

    /// The rows that are points.
    package var points: Int { types["Point"] ?? 0 }
    /// The rows of other kinds, which the app's map leaves out.
    package var others: Int { types.values.reduce(0, +) - points }
    /// Whether any row has a geometry.
    package var isMap: Bool { records > missing }

    /// Counts one row.
    private mutating func add(_ row: RowGeometry) {
        records += 1
        switch row {
        case .missing: return missing += 1
        case .unreadable: unreadable += 1
        case .shape(let shape): types[shape.rawValue, default: 0] += 1
        }
        if row != .shape(.point), firstWithoutPin == nil { firstWithoutPin = records - 1 }
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
        var parts = [points.counted("point")]
        parts += types.filter { $0.key != "Point" }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        if missing > 0 { parts.append("\(missing) without geometry") }
        if unreadable > 0 { parts.append("\(unreadable) unreadable") }
        return parts.joined(separator: ", ")
    }
}
