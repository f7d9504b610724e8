import NIOCore

/// Compares two recorded exchanges: their lines, heads and bodies.
package struct CaptureDiff: Sendable {
    package var noise: DiffNoise
    package let scope: DiffScope

    package init(noise: DiffNoise = .standard, scope: DiffScope = .pair) {
        self.noise = noise
        self.scope = scope
    }

    /// Compares two exchanges; the bytes of bodies are read only where their recorded measures do not decide.
    ///
    /// - Parameters:
    ///   - left: one exchange.
    ///   - leftSource: the bytes of its bodies.
    ///   - right: the other exchange.
    ///   - rightSource: the bytes of its bodies.
    /// - Returns: the differences, and what was ignored.
    /// - Throws: what the sources throw.
    package func compare(
        _ left: Exchange,
        _ leftSource: ArchiveSource,
        _ right: Exchange,
        _ rightSource: ArchiveSource
    ) throws -> CaptureDifference {
        var found = CaptureDifference()
        let origins = scope.comparesOrigins || !noise.passesOrigins ? nil : OwnOrigins(left, right)
        func bodies(_ side: MessageSide) throws {
            let (one, other) = side == .request ? (left.request, right.request) : (left.response, right.response)
            guard !BodyDiff.isSame(one, other) else { return }
            let limit = BodyDiff.limitBytes
            func content(_ message: Message?, _ id: ExchangeID, _ source: ArchiveSource) throws -> BodyDiff.Content {
                guard let message else { return BodyDiff.Content(message: Message(head: .init()), body: .none) }
                let body =
                    message.body.kept == 0
                    ? .none : try CapturedBody(of: message, limitBytes: limit) { try source(id, side, $0, $1) }
                return BodyDiff.Content(message: message, body: body)
            }
            var theirs = try content(other, right.id, rightSource)
            if let bytes = origins?.asLeft(theirs.body.bytes) {
                theirs.body = CapturedBody(bytes: bytes, charset: theirs.body.charset, problem: theirs.body.problem)
                found.ignore("own origin")
            }
            BodyDiff(side: side, noise: noise).compare(try content(one, left.id, leftSource), theirs, &found)
        }
        if scope.comparesRequests {
            line(left, right, &found)
            heads(
                left.request,
                right.request,
                .request,
                passing: scope.comparesOrigins ? [] : ["host"],
                origins,
                &found
            )
            try bodies(.request)
        }
        let isOther = status(left, right, &found)
        if isOther, scope.stopsAtStatus { return found }
        if let one = left.response, let other = right.response {
            // After a HEAD request, the length is all that a response tells of its body.
            heads(one, other, .response, passing: [], isHead: left.method == "HEAD", origins, &found)
            try bodies(.response)
        }
        return found
    }

    private func line(_ left: Exchange, _ right: Exchange, _ found: inout CaptureDifference) {
        func add(_ place: String, _ one: String, _ other: String) {
            guard ExactText(one) != ExactText(other) else { return }
            found.add(Difference(.request, .line, place, .changed, left: one, right: other))
        }
        add("method", left.method, right.method)
        if scope.comparesOrigins {
            add("scheme", left.scheme?.rawValue ?? "none", right.scheme?.rawValue ?? "none")
            add("host", left.host, right.host)
            add("port", "\(left.port)", "\(right.port)")
            add("version", left.version?.rawValue ?? "none", right.version?.rawValue ?? "none")
        }
        QueryDiff.targets(left.target, right.target, noise, &found)
    }

    private func heads(
        _ left: Message,
        _ right: Message,
        _ side: MessageSide,
        passing passes: Set<String>,
        isHead: Bool = false,
        _ origins: OwnOrigins?,
        _ found: inout CaptureDifference
    ) {
        var passes = passes
        // Where the bodies are compared, their lengths add nothing, nor do entity tags of bodies that differ.
        if noise.passesLengths, !isHead {
            passes.insert("content-length")
            if !BodyDiff.isSame(left, right) { passes.insert("etag") }
        }
        FieldDiff.compare(left.fields, right.fields, side, .field, passing: passes, noise, origins, &found)
        let (one, other) = (left.trailers, right.trailers)
        guard one != nil || other != nil else { return }
        let none = HeaderList(trailers: .init())
        FieldDiff.compare(
            one.map { HeaderList(trailers: $0) } ?? none,
            other.map { HeaderList(trailers: $0) } ?? none,
            side,
            .trailer,
            passing: [],
            noise,
            origins,
            &found
        )
    }

    /// Compares codes and outcomes; whether one is of another class than the other, so that the rest follows from that.
    private func status(_ left: Exchange, _ right: Exchange, _ found: inout CaptureDifference) -> Bool {
        func text(_ exchange: Exchange) -> String {
            guard exchange.outcome != .completed else { return exchange.code.map(String.init) ?? "none" }
            let cause = exchange.failure.map { ": \($0.message)" } ?? ""
            return exchange.code.map { "\($0), \(exchange.outcome.rawValue)\(cause)" } ?? exchange.outcome.rawValue
                + cause
        }
        guard left.code != right.code || left.outcome != right.outcome else { return false }
        found.add(Difference(.response, .status, "code", .changed, left: text(left), right: text(right)))
        return left.outcome != right.outcome || (left.code ?? 0) / 100 != (right.code ?? 0) / 100
    }
}
