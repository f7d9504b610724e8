extension Filter {
    /// Finds where the filter's texts stand in an exchange that it selects.
    ///
    /// - Parameters:
    ///   - subject: the exchange.
    ///   - limit: findings at most; one for each text and place.
    /// - Returns: in the order URL, fields, bodies, messages for each text; empty when the filter asks for none.
    /// - Throws: what the subject throws.
    package func findings(in subject: some FilterSubject, limit: Int = 8) throws -> [Finding] {
        var finder = TextFinder(limit: limit)
        for condition in conditions { try finder.look(for: condition, in: subject) }
        return finder.findings
    }
}

/// Gathers findings.
private struct TextFinder {
    let limit: Int
    var findings: [Finding] = []
    /// Bytes of a body's text kept from one piece to the next, so that what straddles them is shown whole.
    private static let keptBytes = 4 << 10

    init(limit: Int) { self.limit = limit }

    mutating func look(for condition: FilterCondition, in subject: some FilterSubject) throws {
        guard findings.count < limit else { return }
        switch condition {
        // What is not there cannot be shown.
        case .not: return
        case .all(let parts), .any(let parts): for part in parts { try look(for: part, in: subject) }
        case .test(.text(let pattern)):
            let patterns = pattern.readings
            func range(in text: String) -> Range<String.Index>? {
                patterns.lazy.compactMap { $0.range(in: text) }.first
            }
            let urls = subject.summary.searchedURLs
            look(for: patterns, at: .url, in: urls.first { range(in: $0) != nil } ?? subject.summary.url)
            try lookAtHeaders(of: subject, MessageSide.allCases, range)
            for side in MessageSide.allCases { try look(for: patterns, inBody: side, of: subject) }
            try look(for: patterns, inMessagesOf: subject)
        case .test(.line(let line, let patterns)) where line == .path || line == .url || line == .query:
            look(for: patterns, at: .url, in: subject.summary.url)
        case .test(.header(let side, let patterns)):
            try lookAtHeaders(of: subject, side.map { [$0] } ?? MessageSide.allCases) { line in
                let field = HeaderList.Field(name: TextFinder.name(line), value: TextFinder.value(line))
                var searched = SearchedField(field)
                return patterns.contains { searched.matches($0) } ? line.startIndex..<line.endIndex : nil
            }
        case .test(.body(let side, let patterns)):
            for side in side.map({ [$0] }) ?? MessageSide.allCases {
                try look(for: patterns.flatMap(\.readings), inBody: side, of: subject)
            }
        case .test(.message(let patterns)): try look(for: patterns.flatMap(\.readings), inMessagesOf: subject)
        case .test: return
        }
    }

    private mutating func look(for patterns: [TextPattern], at place: Finding.Place, in text: String) {
        for pattern in patterns {
            guard findings.count < limit, let range = pattern.range(in: text) else { continue }
            findings.append(Finding(place, range, in: text))
        }
    }

    private mutating func lookAtHeaders(
        of subject: some FilterSubject,
        _ sides: [MessageSide],
        _ find: (String) -> Range<String.Index>?
    ) throws {
        for side in sides {
            guard let message = try subject.message(side) else { continue }
            let trailers = message.trailers.map { HeaderList(trailers: $0) }.map(Array.init) ?? []
            for field in Array(message.fields) + trailers {
                let line = "\(field.name): \(field.value)"
                guard let range = find(line) else { continue }
                if findings.count < limit { findings.append(Finding(.header(side), range, in: line)) }
                break
            }
        }
    }

    private static func name(_ line: String) -> String { String(line.prefix { $0 != ":" }) }

    private static func value(_ line: String) -> String { String(line.drop { $0 != ":" }.dropFirst(2)) }

    private mutating func look(
        for patterns: [TextPattern],
        inBody side: MessageSide,
        of subject: some FilterSubject
    ) throws {
        guard findings.count < limit, let message = try subject.message(side) else { return }
        var open = patterns.map { (pattern: $0, scan: $0.scan()) }
        var kept: [UInt8] = []
        var found: [Finding] = []
        try BodyText.read(side, of: subject, message) { piece in
            kept.append(contentsOf: piece)
            for index in open.indices.reversed() where open[index].scan.feed(piece) {
                found.append(TextFinder.finding(.body(side), open[index].pattern, in: kept))
                open.remove(at: index)
            }
            if open.isEmpty { return false }
            kept = Array(kept.suffix(TextFinder.keptBytes))
            return true
        }
        for index in open.indices where !kept.isEmpty && open[index].scan.finish() {
            found.append(TextFinder.finding(.body(side), open[index].pattern, in: kept))
        }
        findings += found.prefix(max(0, limit - findings.count))
    }

    private static func finding(_ place: Finding.Place, _ pattern: TextPattern, in bytes: [UInt8]) -> Finding {
        let text = String(decoding: bytes, as: UTF8.self)
        return Finding(place, pattern.range(in: text) ?? text.endIndex..<text.endIndex, in: text)
    }

    private mutating func look(for patterns: [TextPattern], inMessagesOf subject: some FilterSubject) throws {
        var last: Int64 = 0
        while findings.count < limit {
            let page = try subject.messages(after: last)
            guard let end = page.last, end.number > last else { return }
            last = end.number
            for message in page {
                look(for: patterns, at: .message(message.number), in: message.searchableText)
            }
        }
    }
}
