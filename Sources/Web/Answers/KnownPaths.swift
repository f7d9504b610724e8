import Hummingbird

/// The addresses of the server with the methods of each, which a 405 has to name (RFC 9110 §15.5.6).
struct KnownPaths: Sendable {
    private struct Path: Sendable {
        let segments: [Substring]
        var methods: Set<String>
    }

    private let paths: [Path]

    /// Reads the addresses off the routes.
    init(_ router: Router<WebContext>) {
        var known: [String: Path] = [:]
        for route in router.routes {
            let text = "\(route.path)"
            var path = known[text] ?? Path(segments: text.split(separator: "/"), methods: [])
            path.methods.insert(route.method.rawValue)
            // Each that can be read answers with its head alone too.
            if route.method == .get { path.methods.insert("HEAD") }
            known[text] = path
        }
        paths = Array(known.values)
    }

    /// The methods of an address, as the field `Allow` has them; `nil` where no address has this path.
    func allowed(_ path: String) -> String? {
        let segments = path.split(separator: "/")
        var methods: Set<String> = []
        for path in paths where KnownPaths.matches(path.segments, segments) { methods.formUnion(path.methods) }
        return methods.isEmpty ? nil : methods.sorted().joined(separator: ", ")
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        pattern.count == path.count
            && zip(pattern, path).allSatisfy { pattern, segment in
                guard pattern.first == "{", let end = pattern.firstIndex(of: "}") else { return pattern == segment }
                return segment.hasSuffix(pattern[pattern.index(after: end)...])
            }
    }
}
