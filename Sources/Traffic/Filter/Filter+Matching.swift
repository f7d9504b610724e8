import NIOCore

/// What a filter means, on one exchange.
extension Filter {
    /// Whether its line alone decides: true, false, or `nil` where heads, bodies or messages have to be looked at.
    package func decision(on summary: ExchangeSummary) -> Bool? {
        guard accepts(started: summary.started), Facet.all.allSatisfy({ accepts($0.value(summary), in: $0) }) else {
            return false
        }
        return conditionsDecision(on: summary)
    }

    /// What its line alone says about the conditions beside facets and times.
    package func conditionsDecision(on summary: ExchangeSummary) -> Bool? {
        conditions.isEmpty ? true : FilterCondition.all(conditions).decision(on: summary, nil)
    }

    /// Whether the exchange is selected.
    ///
    /// This is the meaning; the store's blocks are the fast path and agree with it.
    ///
    /// - Throws: what the subject throws.
    package func matches(_ subject: some FilterSubject) throws -> Bool {
        guard let decision = decision(on: subject.summary) else { return try conditionsHold(for: subject) }
        return decision
    }

    /// Whether the conditions beside facets and times hold.
    ///
    /// - Throws: what the subject throws.
    package func conditionsHold(for subject: some FilterSubject) throws -> Bool {
        conditions.isEmpty ? true : try FilterCondition.all(conditions).holds(for: subject)
    }
}

extension FilterCondition {
    /// What an exchange's line alone says: true, false, or `nil` for not enough (Kleene's logic).
    ///
    /// - Parameters:
    ///   - summary: the line.
    ///   - heads: what is folded of the exchange already, where several conditions look at it.
    /// - Returns: what it says.
    fileprivate func decision(on summary: ExchangeSummary, _ heads: SearchedHeads?) -> Bool? {
        switch self {
        case .test(let test): return test.decision(on: summary, heads)
        case .not(let part): return part.decision(on: summary, heads).map { !$0 }
        case .all(let parts):
            var all: Bool? = true
            for part in parts {
                switch part.decision(on: summary, heads) {
                case false: return false
                case nil: all = nil
                default: break
                }
            }
            return all
        case .any(let parts):
            var any: Bool? = false
            for part in parts {
                switch part.decision(on: summary, heads) {
                case true: return true
                case nil: any = nil
                default: break
                }
            }
            return any
        }
    }

    /// Whether it holds, looking only at what its line leaves open.
    func holds(for subject: some FilterSubject) throws -> Bool {
        if let decision = decision(on: subject.summary, subject.heads) { return decision }
        switch self {
        case .test(let test): return try test.holds(for: subject)
        case .not(let part): return try !part.holds(for: subject)
        case .all(let parts): return try parts.allSatisfy { try $0.holds(for: subject) }
        case .any(let parts): return try parts.contains { try $0.holds(for: subject) }
        }
    }
}

extension FilterTest {
    /// What an exchange's line alone says; `nil` for not enough.
    fileprivate func decision(on summary: ExchangeSummary, _ heads: SearchedHeads?) -> Bool? {
        switch self {
        case .facet(let facet, let wanted):
            return facet.isMeant(facet.value(summary), by: wanted)
        case .number(let number, let ranges):
            return number.value(summary).map { value in ranges.contains { $0.contains(value) } } ?? false
        case .since(let time): return summary.started >= time
        case .before(let time): return summary.started < time
        case .line(let line, let patterns):
            return FilterTest.texts(of: line, heads, { line.texts(summary) }, contain: patterns)
        case .trait(let traits):
            if traits.contains(.replay), summary.replayOf != nil { return true }
            if traits.contains(.websocket), summary.version == .webSocket { return true }
            if traits.contains(.favourite), summary.marks.isFavourite { return true }
            if traits.contains(.modified), summary.isModified { return true }
            if traits.contains(.failedInside), summary.mayFailInside { return nil }
            return traits.contains(.truncated) ? nil : false
        case .text(let pattern):
            return FilterTest.texts(of: nil, heads, { summary.searchedURLs }, contain: pattern.readings) ? true : nil
        case .header, .body, .json, .message: return nil
        }
    }

    /// Whether it holds, for a test that the line leaves open.
    fileprivate func holds(for subject: some FilterSubject) throws -> Bool {
        switch self {
        case .header(let side, let patterns):
            return try FilterTest.fields(side, of: subject) { field in patterns.contains { field.matches($0) } }
        case .body(let side, let patterns):
            return try FilterTest.bodies(side, of: subject, contain: patterns.flatMap(\.readings))
        case .json(let patterns):
            return try FilterTest.sides(nil).contains { side in
                guard let decoded = subject.decoded else {
                    let values = try FilterTest.json(side, of: subject)
                    return patterns.contains { $0.matches(values) }
                }
                let values = try decoded.values(side) { try FilterTest.json(side, of: subject) }
                return decoded.matches(patterns, values)
            }
        case .message(let patterns):
            return try FilterTest.messages(of: subject, contain: patterns.flatMap(\.readings))
        case .trait(let traits):
            if traits.contains(.failedInside), subject.summary.mayFailInside, try subject.failsInside() { return true }
            // A WebSocket's bytes are kept as messages only.
            guard traits.contains(.truncated), subject.summary.version != .webSocket else { return false }
            return try FilterTest.sides(nil).contains { try subject.message($0)?.body.isTruncated ?? false }
        case .text(let pattern):
            let patterns = pattern.readings
            return try FilterTest.fields(nil, of: subject) { field in
                patterns.contains { field.isLine(like: $0) }
            } || FilterTest.bodies(nil, of: subject, contain: patterns)
                || FilterTest.messages(of: subject, contain: patterns)
        case .facet, .number, .since, .before, .line: return decision(on: subject.summary, subject.heads) ?? false
        }
    }

    /// Whether a text matches one of some patterns.
    private static func isMet(_ patterns: [TextPattern], by text: String) -> Bool {
        var searched = SearchedText(text)
        return patterns.contains { searched.matches($0) }
    }

    private static func sides(_ side: MessageSide?) -> [MessageSide] { side.map { [$0] } ?? MessageSide.allCases }

    /// Whether one of a line's texts matches one of some patterns; `nil` for the URLs as a search for text sees them.
    private static func texts(
        of line: FilterLine?,
        _ heads: SearchedHeads?,
        _ read: () -> [String],
        contain patterns: [TextPattern]
    ) -> Bool {
        heads?.hasText(of: line, read: read, patterns) ?? read().contains { isMet(patterns, by: $0) }
    }

    private static func fields(
        _ side: MessageSide?,
        of subject: some FilterSubject,
        _ isWanted: (inout SearchedField) -> Bool
    ) throws -> Bool {
        try sides(side).contains { side in
            guard let message = try subject.message(side) else { return false }
            if let heads = subject.heads {
                return heads.hasLine(side, read: { Array(message.fields) + trailers(of: message) }, isWanted)
            }
            // Nobody asks again, so that nothing is made behind the line that is found.
            func isFound(_ field: HeaderList.Field) -> Bool {
                var searched = SearchedField(field)
                return isWanted(&searched)
            }
            return message.fields.contains(where: isFound) || trailers(of: message).contains(where: isFound)
        }
    }

    private static func trailers(of message: Message) -> [HeaderList.Field] {
        message.trailers.map { Array(HeaderList(trailers: $0)) } ?? []
    }

    private static func bodies(
        _ side: MessageSide?,
        of subject: some FilterSubject,
        contain patterns: [TextPattern]
    ) throws -> Bool {
        for side in sides(side) {
            guard let message = try subject.message(side), message.body.length > 0 else { continue }
            if let decoded = subject.decoded {
                var isFound = false
                // The text comes in one piece.
                try BodyText.read(side, of: subject, message) { text in
                    isFound = decoded.matches(patterns, side, text)
                    return false
                }
                if isFound { return true }
                continue
            }
            var scans = patterns.map { $0.scan() }
            var isFound = false
            var isText = false
            try BodyText.read(side, of: subject, message) { piece in
                isText = true
                for index in scans.indices where scans[index].feed(piece) { isFound = true }
                return !isFound
            }
            if isFound { return true }
            guard isText else { continue }
            for index in scans.indices where scans[index].finish() { return true }
        }
        return false
    }

    /// Decoded bytes of a JSON body that is looked into; a longer one is not: its tree takes many times as much.
    private static let jsonLimitBytes = 8 << 20

    private static func json(_ side: MessageSide, of subject: some FilterSubject) throws -> [JSONValue] {
        guard let message = try subject.message(side), MediaType(message.fields.first("Content-Type"))?.isJSON == true
        else { return [] }
        var bytes: [UInt8] = []
        try BodyText.read(side, of: subject, message) { piece in
            bytes.append(contentsOf: piece)
            return bytes.count <= jsonLimitBytes
        }
        guard bytes.count <= jsonLimitBytes else {
            subject.noteCut(side)
            return []
        }
        return JSONReader.values(bytes)
    }

    private static func messages(of subject: some FilterSubject, contain patterns: [TextPattern]) throws -> Bool {
        var last: Int64 = 0
        while true {
            let page = try subject.messages(after: last)
            guard let end = page.last, end.number > last else { return false }
            last = end.number
            for message in page {
                if isMet(patterns, by: message.searchableText) { return true }
            }
        }
    }
}

extension StreamMessage {
    /// What a search sees of the message: its text, or the readable stretches of a binary one, such as the strings of a gRPC message.
    package var searchableText: String {
        TextEscapes.decoded(text ?? String(decoding: payload.readableBytesView, as: UTF8.self))
    }
}

extension ExchangeSummary {
    /// The URL as a search for text sees it: as sent, and with its query decoded where that is something else.
    package var searchedURLs: [String] { [url] + (decodedURL.map { [$0] } ?? []) }

    /// The URL with its query decoded; `nil` where the query has nothing to decode.
    package var decodedURL: String? {
        guard PercentCoding.isCoded(target.utf8) else { return nil }
        let sent = url
        guard let mark = sent.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        let query = sent.utf8[mark...].dropFirst()
        return PercentCoding.isCoded(query)
            ? "\(sent[..<mark])?\(ByteText.lossless(PercentCoding.decoded(query)))" : nil
    }
}
