import Traffic

/// A resource of What's Open: what the API serves lists of.
package enum WhatsOpenResource: String, Sendable, CaseIterable {
    case facilities, alerts, locations, categories, schedules

    /// The resource that a path leads to, whatever host serves it, and the slug or id after it.
    ///
    /// - Returns: both; `nil` for a path that is not the API's.
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

    /// The resource that a target asks for, whatever host serves it; `nil` where its path is not the API's.
    static func asked(_ target: String) -> WhatsOpenResource? {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        return place(path.split(separator: UInt8(ascii: "/")).map { Substring($0) })?.resource
    }

    /// The word for a single element.
    var single: String {
        switch self {
        case .facilities: "facility"
        case .alerts: "alert"
        case .locations: "location"
        case .categories: "category"
        case .schedules: "schedule"
        }
    }

    /// A count of elements in words: `7 facilities`.
    func counted(_ count: Int) -> String { count.counted(single, rawValue) }
}
