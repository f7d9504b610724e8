/// The portal's resource that grades every dataset, which its client asks for by this fixed id.
struct QualityScores: Sendable {
    /// The id in the client's source.
    static let resourceID = "22f223e7-73f7-4842-935c-80a0ba5c3e5b"

    let datasets: [Dataset]

    /// The `result` of a search for it.
    ///
    /// - Parameters:
    ///   - limit: rows at most.
    ///   - offset: rows before the first one, no more than there are.
    /// - Returns: an object in the portal's member order.
    func result(limit: Int, offset: Int) -> JSON {
        let rows = datasets.enumerated().dropFirst(offset).prefix(limit).map { position, dataset -> JSON in
            let score = 0.55 + Double(position * 7 % 40) / 100
            let grade = score > 0.85 ? "Gold" : score > 0.7 ? "Silver" : "Bronze"
            return [
                "_id": .int(position + 1), "package": .string(dataset.name), "score": .double(score),
                "grade": .string(grade), "grade_norm": .string(grade), "recorded_at": "2026-11-01T04:00:00",
            ]
        }
        let link = "/api/3/action/datastore_search?id=\(Self.resourceID)&limit=\(limit)"
        return [
            "include_total": true, "resource_id": .string(Self.resourceID),
            "fields": [
                ["id": "_id", "type": "int"], ["id": "package", "type": "text"], ["id": "score", "type": "float8"],
                ["id": "grade", "type": "text"], ["id": "grade_norm", "type": "text"],
                ["id": "recorded_at", "type": "timestamp"],
            ],
            "records_format": "objects", "records": .array(Array(rows)), "limit": .int(limit), "offset": .int(offset),
            "_links": ["start": .string(link), "next": .string("\(link)&offset=\(offset + limit)")],
            "total": .int(datasets.count),
        ]
    }
}
