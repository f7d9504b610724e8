/// What rules of another program put in the place of URLs, hosts or paths.
///
/// There a later rule works on that; ours look at the request's own URL.
struct MadeURLs {
    /// How many are kept; beside more than these every later rule is taken for one that matches.
    private static let limit = 100

    /// Without schemes: `a.test/x`, or `/x` for a path alone; an empty one is any.
    private var places: [Substring] = []

    private static func place(_ text: String) -> Substring {
        text.firstRange(of: "//").map { text[$0.upperBound...] } ?? text[...]
    }

    /// The path of a URL, a host or a path.
    static func path(_ text: String) -> Substring { place(text).drop { $0 != "/" } }

    /// Adds a URL, a host or a path; an empty one is any.
    mutating func add(_ text: String) {
        if places.count <= MadeURLs.limit { places.append(MadeURLs.place(text)) }
    }

    /// Whether a rule may match one of them.
    ///
    /// - Parameter start: the beginning of the URLs, hosts or paths that the rule is for; `nil` where it is for others than those with one beginning.
    /// - Returns: whether it may.
    func mayMatch(_ start: String?) -> Bool {
        guard let start, places.count <= MadeURLs.limit else { return !places.isEmpty }
        return places.contains { made in
            if made.isEmpty { return true }
            var (made, wanted) = (made, MadeURLs.place(start))
            // A path is compared with a URL's path.
            if wanted.hasPrefix("/") != made.hasPrefix("/") {
                (made, wanted) = (made.drop { $0 != "/" }, wanted.drop { $0 != "/" })
            }
            return !made.isEmpty && !wanted.isEmpty && (made.hasPrefix(wanted) || wanted.hasPrefix(made))
        }
    }
}
