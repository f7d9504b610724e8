import Traffic

/// The geometry of a row of a resource.
enum RowGeometry: Hashable, Sendable {
    /// A type of geometry, as GeoJSON names it (RFC 7946 §1.4).
    enum Shape: String, Sendable {
        case point = "Point"
        case multiPoint = "MultiPoint"
        case line = "LineString"
        case multiLine = "MultiLineString"
        case polygon = "Polygon"
        case multiPolygon = "MultiPolygon"
        case collection = "GeometryCollection"
    }

    /// The geometry is missing, null or empty.
    case missing
    /// The geometry is no GeoJSON.
    case unreadable
    case shape(Shape)

    /// Reads a row's geometry and its extent.
    static func read(_ record: JSONValue) -> (row: RowGeometry, extent: MapExtent?) {
        guard let geometry = record["geometry"], !geometry.isNull else { return (.missing, nil) }
        var value = geometry
        if let text = geometry.string {
            guard !["", "none", "null"].contains(text.lowercased()) else { return (.missing, nil) }
            value = (try? JSONBound.value(Array(text.utf8))) ?? .null
        }
        let coordinates = value["coordinates"]
        guard let shape = value["type"]?.string.flatMap(Shape.init), shape != .point || isPosition(coordinates) else {
            return (.unreadable, nil)
        }
        return (.shape(shape), MapExtent(coordinates))
    }

    private static func isPosition(_ value: JSONValue?) -> Bool {
        guard let numbers = value?.elements, numbers.count >= 2 else { return false }
        return numbers.prefix(2).allSatisfy { $0.number != nil }
    }
}
