/// The rows of a dataset's resource: invented places, as points, lines or sets of points by dataset.
struct ResourceRows: Sendable {
    let dataset: Dataset
    let resourceID: String

    /// The geometry of a row; the client's map draws points only.
    private enum Shape {
        case point
        case multiPoint
        case lineString
        case none
    }

    private var shape: Shape {
        switch dataset.name {
        case "cycling-lanes": .lineString
        case "street-trees": .multiPoint
        case _ where !dataset.formats.contains("GEOJSON"): .none
        default: .point
        }
    }

    /// The `result` of a search: a window of the rows, with links to the next.
    ///
    /// - Parameters:
    ///   - limit: rows at most.
    ///   - offset: rows before the first one, no more than there are.
    /// - Returns: an object in the portal's member order.
    func result(limit: Int, offset: Int) -> JSON {
        let rows = (offset..<max(offset, dataset.recordCount)).prefix(limit).map(row)
        var fields: [JSON] = [["id": "_id", "type": "int"], ["id": "NAME", "type": "text"]]
        if shape != .none { fields.append(["id": "geometry", "type": "text"]) }
        let link = "/api/3/action/datastore_search?id=\(resourceID)&limit=\(limit)"
        return [
            "include_total": true, "resource_id": .string(resourceID), "fields": .array(fields),
            "records_format": "objects", "records": .array(rows), "limit": .int(limit), "offset": .int(offset),
            "_links": ["start": .string(link), "next": .string("\(link)&offset=\(offset + limit)")],
            "total": .int(dataset.recordCount),
        ]
    }

    private func row(_ number: Int) -> JSON {
        var members: [JSON.Member] = [
            .init(name: "_id", value: .int(number + 1)),
            .init(name: "NAME", value: .string("\(dataset.title) \(number + 1)")),
        ]
        if let geometry = geometry(number) { members.append(.init(name: "geometry", value: .string(geometry))) }
        return .object(members)
    }

    /// GeoJSON in a string, spaced as the portal spaces it.
    private func geometry(_ number: Int) -> String? {
        let here = position(number)
        return switch shape {
        case .none: nil
        case .point: "{\"type\": \"Point\", \"coordinates\": \(here)}"
        case .multiPoint: "{\"type\": \"MultiPoint\", \"coordinates\": [\(here)]}"
        case .lineString: "{\"type\": \"LineString\", \"coordinates\": [\(here), \(position(number + 1))]}"
        }
    }

    private func position(_ number: Int) -> String {
        let longitude = -79.60 + Double((number * 37 + dataset.number * 11) % 480) / 1_000
        let latitude = 43.60 + Double((number * 53 + dataset.number * 7) % 240) / 1_000
        return "[\(longitude), \(latitude)]"
    }
}
