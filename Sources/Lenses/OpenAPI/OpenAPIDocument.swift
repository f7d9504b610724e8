package import Traffic

/// An OpenAPI 3.0 or 3.1 document, prepared for checking captures.
package struct OpenAPIDocument: Sendable {
    /// A path with its operations that have the same servers.
    struct Path: Sendable {
        let template: PathTemplate
        /// The operations, by method in upper case.
        var operations: [String: OpenAPIOperation]
        /// The path's or the operations' own servers, in place of the document's; `nil` where they have none.
        var servers: [ServerAddress]?
    }

    package let title: String
    let servers: [ServerAddress]
    /// The paths by their count of segments, those that leave less open first.
    let paths: [Int: [Path]]
    /// The paths that have servers of their own.
    let pathsWithServers: [Path]
    let schemas: SchemaTable
    /// The query parameters that carry credentials, which are known although no operation names them.
    let keyParameters: Set<String>

    /// Reads a document.
    ///
    /// - Throws: `OpenAPIProblem` that names the place and what is wrong there.
    package init(_ root: JSONValue) throws(OpenAPIProblem) {
        var reader = try OpenAPIReader(root)
        let read = try reader.paths()
        paths = Dictionary(grouping: read) { $0.template.segments.count }.mapValues { group in
            group.sorted { $0.template.rank.lexicographicallyPrecedes($1.template.rank) }
        }
        pathsWithServers = read.filter { $0.servers != nil }
        servers = try reader.servers(root["servers"], "#/servers") ?? []
        title = root["info"]?["title"]?.string ?? "an API without a title"
        schemas = reader.schemas.table
        keyParameters = reader.keyParameters()
    }

    /// The assertions of the schemas that are not checked, a sentence each.
    package var unchecked: [String] {
        schemas.unchecked.map { "the document's \($0.keyword) is not checked (first at \($0.place))" }
    }

    /// The place of a request in the document.
    enum Place {
        /// A path of the document, with the values of its open parts.
        case path(Path, values: [String: Substring])
        /// The request's server has no such path.
        case noPath
        /// The request went to another server.
        case elsewhere
    }

    /// Finds the path of a request; where several fit, the path that leaves least open.
    ///
    /// A local server may stand in for the document's servers. A request to a server that the document does not name belongs to a path only where the
    /// document has one that fits.
    ///
    /// - Parameters:
    ///   - capture: the exchange.
    ///   - anyHost: whether a server that the document does not name is taken for one that it does.
    /// - Returns: the request's place.
    func place(of capture: Capture, anyHost: Bool) -> Place {
        let parts = PathTemplate.parts(capture.path)
        let exchange = capture.exchange
        var isNamed =
            anyHost || servers.isEmpty
            || servers.contains { $0.isHost(of: exchange) && $0.rest(of: parts) != nil }
        let isTaken = isNamed || ServerAddress.isLocal(exchange.host)
        var found: [(path: Path, values: [String: Substring])] = []
        for rest in isTaken ? candidates(parts, servers) : [] {
            for path in paths[rest.count] ?? [] where path.servers == nil {
                if let values = path.template.values(in: rest) { found.append((path, values)) }
            }
        }
        for path in pathsWithServers {
            let own = path.servers ?? []
            let isHere = own.contains { $0.isHost(of: exchange) }
            isNamed = isNamed || isHere
            let reached = anyHost || ServerAddress.isLocal(exchange.host) ? own : own.filter { $0.isHost(of: exchange) }
            for rest in reached.isEmpty ? [] : candidates(parts, reached) {
                if let values = path.template.values(in: rest) { found.append((path, values)) }
            }
        }
        guard let first = OpenAPIDocument.best(found, exchange.method) else { return isNamed ? .noPath : .elsewhere }
        return .path(first.path, values: first.values)
    }

    /// The fitting path that leaves least open (OpenAPI 3.0.3 §4.7.8.2); where several do, one that has the method.
    private static func best(_ found: [(path: Path, values: [String: Substring])], _ method: String)
        -> (path: Path, values: [String: Substring])?
    {
        guard
            let rank = found.map(\.path.template.rank).min(by: { $0.lexicographicallyPrecedes($1) })
        else { return nil }
        let closest = found.filter { $0.path.template.rank == rank }
        return closest.first { $0.path.operations[method] != nil } ?? closest.first
    }

    /// The segments after each server's own beginning of a path, equal ones once: a document may have as many servers as paths.
    private func candidates(_ parts: [Substring], _ servers: [ServerAddress]) -> [ArraySlice<Substring>] {
        guard !servers.isEmpty else { return [parts[...]] }
        var starts: Set<Int> = []
        return servers.compactMap { $0.rest(of: parts) }.filter { starts.insert($0.startIndex).inserted }
    }
}
