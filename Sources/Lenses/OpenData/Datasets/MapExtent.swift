import Traffic

/// The rectangle around geometries, in degrees (RFC 7946 §5).
package struct MapExtent: Sendable, Equatable {
    package private(set) var west: Double
    package private(set) var south: Double
    package private(set) var east: Double
    package private(set) var north: Double

    /// Finds the extent of a geometry's coordinates; `nil` where it has no position.
    init?(_ coordinates: JSONValue?) {
        guard let elements = coordinates?.elements else { return nil }
        if elements.count >= 2, let longitude = elements[0].number, let latitude = elements[1].number {
            (west, south, east, north) = (longitude, latitude, longitude, latitude)
            return
        }
        guard let whole = elements.compactMap({ MapExtent($0) }).reduce(nil, { MapExtent.union($0, $1) }) else {
            return nil
        }
        self = whole
    }

    /// The smallest extent that holds both.
    static func union(_ one: MapExtent?, _ other: MapExtent?) -> MapExtent? {
        guard var whole = one, let other else { return one ?? other }
        whole.west = min(whole.west, other.west)
        whole.south = min(whole.south, other.south)
        whole.east = max(whole.east, other.east)
        whole.north = max(whole.north, other.north)
        return whole
    }
}
