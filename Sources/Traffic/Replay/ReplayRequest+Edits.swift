import NIOCore

extension ReplayRequest {
    /// A recorded request with edits; without any it is the recorded one, byte for byte.
    ///
    /// Credentials of the capture are held back where the request goes to another origin (scheme, host and port, and the Host that it names), unless
    /// the edits say otherwise.
    ///
    /// - Throws: `ReplayError` naming the edit that cannot be made, and why.
    package init(original: Exchange, body: [UInt8], edits: ReplayEdits) throws(ReplayError) {
        self.init(original: original, body: body)
        let recorded = self.original.request.sentHead ?? self.original.request.head
        var lines = try RequestLines(recorded.readableBytesView)
        let isAbsolute = try ReplayRequest.makeOrigin(&lines)
        guard !edits.isEmpty || isAbsolute else { return }
        let before = lines
        if let head = edits.head {
            lines = try RequestLines(head)
            // What was sent in HTTP/2 is edited in its own form, and sent as what the upstream speaks.
            guard lines.isHTTP2 == before.isHTTP2 else {
                throw ReplayError("the version of the request line stays \(before.version); the upstream's decides")
            }
        }
        if let problem = edits.problem { throw problem }
        if let method = edits.method { lines.method = method }
        if let to = edits.to { try redirect(&lines, to: try ReplayTarget(to)) }
        edit(&lines, edits)
        if let body = edits.body { self.body = body }
        let isElsewhere = self.original.isOtherOrigin(than: original) || original.isRenamed(from: before, to: lines)
        if isElsewhere, !edits.sendCredentials {
            try holdBack(&lines, recorded: before, edits)
        }
        try frame(&lines, before, edits)
        self.original.method = lines.method
        self.original.target = ByteText.lossless(lines.target)
        self.original.request.head = lines.head
        self.original.request.sentHead = nil
        if edits.body != nil {
            let count = Int64(self.body.count)
            self.original.request.body = Body(length: count, kept: count, sha256: [])
        }
    }

    /// Brings an absolute target, as clients send it to a proxy, into the form that goes upstream; true where it was absolute (RFC 9112 §3.2.2).
    private static func makeOrigin(_ lines: inout RequestLines) throws(ReplayError) -> Bool {
        guard lines.target.first != UInt8(ascii: "/"), lines.target != [UInt8(ascii: "*")] else { return false }
        guard let start = lines.target.firstRange(of: Array("://".utf8)) else { return false }
        let rest = lines.target[start.upperBound...]
        let path = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        lines.target = (path.first == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + path
        return true
    }

    /// Sends it elsewhere: the Host field says so where it named the old place.
    private mutating func redirect(_ lines: inout RequestLines, to place: ReplayTarget) throws(ReplayError) {
        let old = Endpoint(host: original.host, port: original.port)
        let defaultPort = original.scheme?.defaultPort ?? old.port
        for index in lines.fields.indices where lines.fields[index].isNamed("host") {
            let line = lines.fields[index]
            guard Endpoint(authority: line.text, defaultPort: defaultPort) == old else { continue }
            lines.fields[index] = RequestLines.Line(line.name, place.authority)
        }
        if !place.prefix.isEmpty, lines.target.first == UInt8(ascii: "/") {
            lines.target = Array(place.prefix.utf8) + lines.target
        }
        let isSame = original.scheme == place.scheme && old == place.endpoint
        (original.scheme, original.host, original.port) = (place.scheme, place.endpoint.host, place.endpoint.port)
        // Another place in plain text does not say whether it speaks HTTP/2, and where it does not, it never answers.
        if !isSame, place.scheme == .http { original.upstreamVersion = .http11 }
    }

    private func edit(_ lines: inout RequestLines, _ edits: ReplayEdits) {
        for name in edits.removeHeaders {
            lines.fields.removeAll { $0.isNamed(name) }
        }
        var given: [String: [RequestLines.Line]] = [:]
        var names: [String] = []
        for field in edits.headers {
            if given[field.name.lowercased()] == nil { names.append(field.name.lowercased()) }
            given[field.name.lowercased(), default: []].append(RequestLines.Line(field.name, field.value))
        }
        for name in names { lines.set(name, given[name] ?? []) }
        for item in edits.query { lines.target = ReplayRequest.target(lines.target, setting: item) }
    }

    /// A target with a query item in the place of those of its name; everything else stays byte for byte.
    private static func target(_ target: [UInt8], setting item: String) -> [UInt8] {
        let name = QueryString.pair(item[...]).name
        let written = Array(PercentCoding.encoded(item.utf8, keeping: .queryItem).utf8)
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        let query = target.dropFirst(path.count + 1)
        var parts = query.isEmpty ? [] : query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        func isNamed(_ part: ArraySlice<UInt8>) -> Bool {
            PercentCoding.decoded(part.prefix { $0 != UInt8(ascii: "=") }) == PercentCoding.decoded(name.utf8)
        }
        let place = parts.firstIndex(where: isNamed) ?? parts.count
        parts.removeAll(where: isNamed)
        parts.insert(written[...], at: min(place, parts.count))
        return path + [UInt8(ascii: "?")] + Array(parts.joined(separator: [UInt8(ascii: "&")]))
    }

    /// Leaves out the capture's credentials; what an edit brought is not the capture's.
    private mutating func holdBack(
        _ lines: inout RequestLines,
        recorded: RequestLines,
        _ edits: ReplayEdits
    ) throws(ReplayError) {
        // A person's editor may write the same line in another way.
        let own = Set(recorded.fields.map(\.meaning))
        let given = Set(edits.headers.map { ASCII.lower($0.name) })
        var held: [String] = []
        lines.fields.removeAll { line in
            guard own.contains(line.meaning), !given.contains(ASCII.lower(line.name)),
                CapturedCredentials.isField(line.name, line.value)
            else { return false }
            held.append("field \(line.name)")
            return true
        }
        let target = String(decoding: lines.target, as: UTF8.self)
        let (path, query) = QueryString.split(target)
        let recordedTarget = String(decoding: recorded.target, as: UTF8.self)
        let (recordedPath, recordedQuery) = QueryString.split(recordedTarget)
        if path.hasSuffix(recordedPath), let place = CapturedCredentials.inPath(recordedPath) {
            throw ReplayError(
                "exchange \(original.id) would send a credential of its path (\(place)) to another host",
                wayOut: .path
            )
        }
        let mine = Set(QueryString.parts(recordedQuery ?? "").map { PercentCoding.decoded($0.utf8) })
        let items = query.map(QueryString.parts) ?? []
        let sent = items.filter { item in
            let name = QueryString.pair(item).name
            let isEdited = edits.query.contains { QueryString.pair($0[...]).name == name }
            guard mine.contains(PercentCoding.decoded(item.utf8)), !isEdited, CapturedCredentials.isQueryItem(item)
            else { return true }
            held.append("query item \(name)")
            return false
        }
        if sent.count < items.count {
            lines.target = Array((path + (sent.isEmpty ? "" : "?" + sent.joined(separator: "&"))).utf8)
        }
        if edits.body == nil {
            switch CapturedCredentials.inBody(original.request, target: recordedTarget, body) {
            case .credential(let place):
                throw ReplayError(
                    "exchange \(original.id) would send a credential of its body (\(place)) to another host",
                    wayOut: .body
                )
            case .unsearched: notes.append("The body could not be searched for credentials, and goes to another host.")
            case .nothing: break
            }
        }
        heldBack = held
    }

    /// Makes the head say how long the body is; what an edit said of it must be true.
    private mutating func frame(
        _ lines: inout RequestLines,
        _ before: RequestLines,
        _ edits: ReplayEdits
    ) throws(ReplayError) {
        let edited = lines.fields
        func wasSaid(_ name: String) -> Bool {
            edits.headers.contains { $0.name.lowercased() == name }
                || edits.head != nil && edited.filter { $0.isNamed(name) } != before.fields.filter { $0.isNamed(name) }
        }
        let codings = lines.fields.filter { $0.isNamed("transfer-encoding") }.map { $0.text.lowercased() }
        guard codings.isEmpty || codings == ["chunked"] else {
            throw ReplayError("Transfer-Encoding can be chunked, and nothing else")
        }
        if edits.body != nil, lines.has("content-encoding"), !wasSaid("content-encoding") {
            lines.fields.removeAll { $0.isNamed("content-encoding") }
            notes.append("Content-Encoding was left out: the new body is sent as it was given.")
        }
        let lengths = lines.fields.filter { $0.isNamed("content-length") }
        if !codings.isEmpty {
            guard !lengths.isEmpty else { return }
            guard !wasSaid("content-length") else {
                throw ReplayError("a request has Content-Length or Transfer-Encoding, not both")
            }
            lines.fields.removeAll { $0.isNamed("content-length") }
            notes.append("Content-Length was left out, because the body is sent in chunks.")
            return
        }
        guard lengths.map(\.text) != ["\(body.count)"], !lengths.isEmpty || !body.isEmpty else { return }
        // A capture whose body is not as long as its head says was broken off; that is for the sender to refuse.
        guard
            edits.body != nil || edits.head != nil || lengths != before.fields.filter({ $0.isNamed("content-length") })
        else { return }
        guard !wasSaid("content-length") || lengths.isEmpty else {
            throw ReplayError(
                "Content-Length says \(lengths.map(\.text).joined(separator: ", ")), but the body has \(body.count) bytes; leave the field out and it is set"
            )
        }
        if lengths.isEmpty, lines.isHTTP2 { return }
        lines.set("content-length", [RequestLines.Line(lengths.first?.name ?? "Content-Length", "\(body.count)")])
        notes.append("Content-Length was set to the \(body.count) bytes of the body.")
    }
}

extension Exchange {
    /// Whether it goes to another scheme, host or port.
    fileprivate func isOtherOrigin(than other: Exchange) -> Bool {
        scheme != other.scheme || host != other.host || port != other.port
    }

    /// Whether edits make the request name another place than the recorded one did, and than the one it goes to: whoever answers to that name need
    /// not be the one that the credentials are for.
    fileprivate func isRenamed(from recorded: RequestLines, to edited: RequestLines) -> Bool {
        let defaultPort = scheme?.defaultPort ?? port
        func place(_ authority: String) -> String {
            Endpoint(authority: authority, defaultPort: defaultPort)?.description ?? authority
        }
        let known = Set((recorded.authorities + [Endpoint(host: host, port: port).description]).map(place))
        return !known.isSuperset(of: edited.authorities.map(place))
    }
}
