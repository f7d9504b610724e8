import Traffic

/// What the API serves lists of.
package enum WhatsOpenResource: String, Sendable, CaseIterable {
    case facilities, alerts, locations, categories, schedules

    /// Where a path of the API leads, whatever host serves it: the resource, and the slug or id behind it.
    ///
    /// - Returns: `nil` for a path that is none of the API's.
    static func place(_ parts: [Substring]) -> (resource: WhatsOpenResource, key: Substring?)? {
        let rest: ArraySlice<Substring>
        if parts.count >= 3, parts[0] == "whatsopen", parts[1].first == "v", Int(parts[1].dropFirst()) != nil {
            rest = parts[2...]
        } else if parts.count >= 2, parts[0] == "api" {
            rest = parts[1...]
        } else {
            return nil
        }
        guard rest.count <= 2, let first = rest.first else { return nil }
        let name = first.hasSuffix(".json") ? first.dropLast(5) : first
        return WhatsOpenResource(rawValue: String(name)).map { ($0, rest.dropFirst().first) }
    }

    /// One of them.
    var single: String {
        switch self {
        case .facilities: "facility"
        case .alerts: "alert"
        case .locations: "location"
        case .categories: "category"
        case .schedules: "schedule"
        }
    }

    /// So many of them.
    func counted(_ count: Int) -> String { count.counted(single, rawValue) }
}
