import Foundation

/// A request to the stand-in servers: whole, split, and with the instant at which it is answered.
struct IncomingRequest: Sendable {
    /// A larger body is answered with 413 and not kept.
    static let bodyLimitBytes = 1 << 20

    let method: String
    /// The path as it came, still percent-coded, always beginning with a slash.
    let path: String
    /// The query as it came, without the question mark; nil when there was none.
    let rawQuery: String?
    let query: Query
    /// The fields in the order they came.
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// The address the connection came from, without its port.
    let remoteAddress: String
    let isSecure: Bool
    /// The instant, by the injected clock.
    let now: Date
    /// The spoilings that only an API can apply.
    var servesNullSpecials = false
    /// The alterations of answers by this run's changes.
    var alterations = Alterations()

    /// Splits a target in origin or absolute form; nil for any other form.
    init?(
        method: String,
        target: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        remoteAddress: String,
        isSecure: Bool,
        now: Date
    ) {
        var origin = target[...]
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            let start = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            origin = rest[start...]
            if !origin.hasPrefix("/") { origin = "/" + origin }
        }
        guard origin.hasPrefix("/") else { return nil }
        let parts = origin.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = String(parts.first ?? "/")
        rawQuery = parts.count > 1 ? String(parts[1]) : nil
        query = Query(rawQuery)
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.isSecure = isSecure
        self.now = now
    }

    /// The first value of a field, whatever the case of its name.
    func header(_ name: String) -> String? {
        headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        let pairs = headers.filter { $0.name.caseInsensitiveCompare("Cookie") == .orderedSame }
            .flatMap { $0.value.split(separator: ";") }
        return pairs.lazy.map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The scheme and authority that links in an answer begin with.
    var origin: String {
        "\(isSecure ? "https" : "http")://\(header("Host") ?? "localhost")"
    }
}
