import Traffic

/// A place as Charles writes it: parts of a URL in which `*` and `?` stand for other characters; an empty part is any.
struct CharlesLocation {
    let scheme: String
    let host: String
    let port: String
    let path: String
    let query: String
    /// The path as it is written, `/*` for `*`; empty where there is none.
    let writtenPath: String

    /// - Parameter tree: a `location`, `sourceLocation` or `destLocation`.
    init(_ tree: XMLTree?) {
        func part(_ name: String) -> String {
            let text = tree?.value(name) ?? ""
            return text == "*" || text == "/*" ? "" : text
        }
        (scheme, host) = (ASCII.lower(part("protocol")), ASCII.lower(part("host")))
        (port, query) = (part("port"), part("query"))
        let (path, written) = (part("path"), tree?.value("path") ?? "")
        writtenPath = written == "*" ? "/*" : written.isEmpty || written.hasPrefix("/") ? written : "/\(written)"
        self.path = path.isEmpty || path.hasPrefix("/") || path.hasPrefix("*") ? path : "/\(path)"
    }

    /// The places of elements `locationMatch` that are switched on.
    static func all(of matches: [XMLTree]) -> [CharlesLocation] {
        matches.filter { $0.flag("enabled", default: true) }.map { CharlesLocation($0.child("location")) }
    }

    /// Whether a part stands for one text.
    static func isPlain(_ text: String) -> Bool { !text.isEmpty && !text.contains { "*?[".contains($0) } }

    /// The terms of a query that select it; none for every place.
    var terms: [String] {
        get throws {
            guard !(host + path + query).contains("[") else {
                throw ImportedRule.Gap("the place '\(text)', in which [ ] is one of several signs")
            }
            return selection
        }
    }

    private var selection: [String] {
        (scheme.isEmpty ? [] : [QueryPattern.containing("scheme", scheme)])
            + (host.isEmpty ? [] : [QueryPattern.glob("host", host)])
            + (port.isEmpty ? [] : [QueryPattern.containing("port", port)])
            + (path.isEmpty ? [] : [QueryPattern.glob("path", path)])
            + (query.isEmpty ? [] : [QueryPattern.glob("query", query)])
    }

    /// The place as a person reads it.
    var text: String {
        (scheme.isEmpty ? "" : "\(scheme)://") + (host.isEmpty ? "*" : host) + (port.isEmpty ? "" : ":\(port)") + path
            + (query.isEmpty ? "" : "?\(query)")
    }

    /// The path before its `*`, where that is its end; `nil` for any other path.
    var folder: String? {
        if path.isEmpty { return "/" }
        let folder = String(path.dropLast())
        return path.hasSuffix("*") && CharlesLocation.isPlain(folder) ? folder : nil
    }
}
