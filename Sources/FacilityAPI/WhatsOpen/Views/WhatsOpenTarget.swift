import Foundation

/// The target of a What's Open path: the root, a list or one row, with the format that its suffix asks for.
struct WhatsOpenTarget: Sendable, Equatable {
    /// The five lists.
    enum Resource: String, Sendable, CaseIterable {
        case facilities, alerts, categories, locations, schedules

        /// The framework's name of a row.
        var viewName: String {
            switch self {
            case .facilities: "Facility"
            case .alerts: "Alert"
            case .categories: "Category"
            case .locations: "Location"
            case .schedules: "Schedule"
            }
        }
    }

    /// The result of reading a path.
    enum Reading: Sendable, Equatable {
        case target(WhatsOpenTarget)
        /// The same with a slash at the end would be a target.
        case redirect(to: String)
        case unknown
    }

    /// The prefix the request used, without a slash at its end.
    let base: String
    /// The list; nil for the root.
    let resource: Resource?
    /// The slug or id of one row, decoded; nil for a list.
    let key: String?
    /// `json` in `facilities.json`.
    let suffix: String?

    /// Reads a path below one of the bases.
    static func reading(_ path: String) -> Reading {
        guard let base = APIFamily.whatsOpenBases.first(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
            return .unknown
        }
        let rest = path.dropFirst(base.count)
        if rest.isEmpty { return .redirect(to: base + "/") }
        if rest == "/" { return .target(WhatsOpenTarget(base: base, resource: nil, key: nil, suffix: nil)) }
        var segments = rest.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let hasSlash = segments.last == ""
        if hasSlash { segments.removeLast() }
        guard (1...2).contains(segments.count), let last = segments.last else { return .unknown }
        let parts = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let suffix = parts.count > 1 ? parts[1] : nil
        if let suffix {
            guard suffix.wholeMatch(of: #/[a-z0-9]+/#) != nil, let stem = parts.first, !stem.isEmpty else {
                return .unknown
            }
            segments[segments.count - 1] = stem
        }
        guard let name = segments.first, let resource = Resource(rawValue: String(name)),
            !segments.contains(where: \.isEmpty)
        else { return .unknown }
        if !hasSlash, suffix == nil { return .redirect(to: path + "/") }
        let key = segments.count > 1 ? segments[1].removingPercentEncoding ?? String(segments[1]) : nil
        return .target(WhatsOpenTarget(base: base, resource: resource, key: key, suffix: suffix.map(String.init)))
    }
}
