import Traffic

/// What has to be the same for a recording to answer a request, host and body aside; the order of the query's items is not part of it.
struct RequestShape: Hashable, Sendable {
    let method: String
    /// As sent, without the query.
    let path: String
    /// The query's items, decoded, in their own order.
    let items: [String]

    init(method: String, target: String) {
        self.method = method
        path = String(target[..<(target.utf8.firstIndex { "?#".utf8.contains($0) } ?? target.endIndex)])
        items = QueryString.items(target).map { $0.value.isEmpty ? $0.name : "\($0.name)=\($0.value)" }.sorted()
    }

    private init(method: String, path: String, items: [String]) {
        (self.method, self.path, self.items) = (method, path, items)
    }

    /// The same request with another method.
    func asked(by method: String) -> RequestShape { RequestShape(method: method, path: path, items: items) }
}
