package import Traffic

/// A building of a campus, or a part of a building.
package struct CampusLocation: Sendable, Equatable {
    /// The campuses that the API names; `korea` was one of them up to 2.1.
    package static let regions = ["fairfax", "arlington", "prince william", "front royal", "korea"]
    /// The degrees of latitude and longitude that Virginia lies in, with some room.
    private static let latitudes = 36.4...39.6
    private static let longitudes = -83.8 ... -75.0

    package let id: Int?
    package let building: String
    /// The name that people use; often empty.
    package let friendlyBuilding: String
    package let address: String
    package let region: String
    package let isOnCampus: Bool
    /// Degrees; `nil` where none can be read.
    package let longitude: Double?
    package let latitude: Double?
    /// Remarks on what is missing, wrong or odd.
    package let warnings: [DataWarning]

    /// Reads a value, whatever is missing in it.
    package init(_ value: JSONValue, at pointer: String = "") {
        var object = WireObject(value, at: pointer)
        id = object.integer("id")
        building = object.text("building") ?? ""
        friendlyBuilding = object.text("friendly_building") ?? ""
        address = object.text("address") ?? ""
        region = object.text("campus_region") ?? ""
        isOnCampus = object.boolean("on_campus")
        if !CampusLocation.regions.contains(region) {
            object.warn(.unknown, "campus_region", region.isEmpty ? "no campus is named" : "unknown campus “\(region)”")
        }
        object.stamp("created")
        object.stamp("modified")
        let point = object["coordinate_location"]?["coordinates"]
        let numbers = (point?.elements ?? []).compactMap(\.number)
        longitude = numbers.count == 2 ? numbers[0] : nil
        latitude = numbers.count == 2 ? numbers[1] : nil
        let place = JSONPointer.child("coordinates", of: object.place("coordinate_location"))
        if let longitude, let latitude, region != "korea" {
            let isThere = { (longitude: Double, latitude: Double) -> Bool in
                Self.longitudes.contains(longitude) && Self.latitudes.contains(latitude)
            }
            if isThere(latitude, longitude) {
                object.warnings.append(
                    DataWarning(
                        kind: .place,
                        pointer: place,
                        text: "coordinates [\(longitude), \(latitude)] are latitude first"
                    )
                )
            } else if !isThere(longitude, latitude) {
                object.warnings.append(
                    DataWarning(
                        kind: .place,
                        pointer: place,
                        text: "coordinates [\(longitude), \(latitude)] are not in Virginia"
                    )
                )
            }
        } else if object["coordinate_location"] != nil, numbers.count != 2 {
            object.warnings.append(
                DataWarning(kind: .place, pointer: place, text: "coordinates are no pair of numbers")
            )
        }
        warnings = object.warnings
    }

    /// The name that people use, else the building's.
    package var title: String { friendlyBuilding.isEmpty ? building : friendlyBuilding }
}
