import Traffic

/// Tests of the lines' texts, and of the facts beside the facets.
extension BlockColumns {
    /// The answer of the columns about a text of the lines.
    func line(_ line: FilterLine, _ patterns: [TextPattern]) throws -> ConditionColumn {
        let kind: LineColumn.Kind
        switch line {
        case .path: kind = .path
        case .query: kind = .query
        case .url: return try url(patterns)
        case .session, .note: return .same(.open)
        }
        guard let column = try lines(kind) else { return .same(.open) }
        return spread(LineMatcher(patterns).verdicts(column.bytes, column.ends), over: column)
    }

    /// The answer of the columns about ports.
    func port(_ ranges: [ClosedRange<Int64>]) throws -> ConditionColumn {
        guard let column = try lines(.port) else { return .same(.open) }
        let verdicts = (0..<column.count).map { number -> UInt8 in
            guard let port = Int64(String(decoding: column.text(number), as: UTF8.self)) else { return 1 }
            return ranges.contains { $0.contains(port) } ? 2 : 0
        }
        return spread(verdicts, over: column)
    }

    /// Whether the exchanges have one of some traits that a column tells by letters.
    func traits(_ traits: [FilterTrait]) throws -> ConditionColumn {
        let letters = traits.compactMap { trait -> UInt8? in
            switch trait {
            case .modified: UInt8(ascii: "m")
            case .replay: UInt8(ascii: "r")
            case .truncated: UInt8(ascii: "t")
            case .websocket, .favourite, .failedInside: nil
            }
        }
        guard !letters.isEmpty else { return .same(.no) }
        guard let column = try lines(.trait) else { return .same(.open) }
        let verdicts = (0..<column.count).map { number -> UInt8 in
            column.text(number).contains { letters.contains($0) } ? 2 : 0
        }
        return spread(verdicts, over: column)
    }

    /// The answer about URLs, which are put together from origin, path and query where these do not rule out every needle.
    private func url(_ patterns: [TextPattern]) throws -> ConditionColumn {
        guard var origin = try lines(.origin), var path = try lines(.path), var query = try lines(.query) else {
            return .same(.open)
        }
        let rows = possible(patterns.map(\.need.bytes), origin, path, query)
        guard !rows.isEmpty else { return .same(.no) }
        if rows.count < block.count {
            origin.keep(rows)
            path.keep(rows)
            query.keep(rows)
        }
        let sent = query.firstTextLengths
        // The mark at the end, and the question mark.
        var lengths = query.numbers.map { $0 == LineColumn.none ? 1 : 2 }
        origin.addLengths(origin.lengths, to: &lengths)
        path.addLengths(path.lengths, to: &lengths)
        query.addLengths(sent, to: &lengths)
        var ends: [UInt32] = []
        ends.reserveCapacity(rows.count)
        var places: [Int] = []
        places.reserveCapacity(rows.count)
        var total = 0
        for length in lengths {
            places.append(total)
            total += length
            ends.append(UInt32(truncatingIfNeeded: total))
        }
        // The bytes that are not written over are the marks at the ends.
        var bytes = [UInt8](repeating: LineColumn.mark, count: total)
        origin.copy(origin.lengths, to: &bytes, at: &places)
        path.copy(path.lengths, to: &bytes, at: &places)
        query.copy(sent, to: &bytes, at: &places, after: UInt8(ascii: "?"))
        let found = LineMatcher(patterns).verdicts(bytes, ends)
        if rows.count == block.count { return .each(found) }
        var verdicts = [UInt8](repeating: ConditionColumn.Verdict.no.rawValue, count: block.count)
        for (verdict, row) in zip(found, rows) { verdicts[row] = verdict }
        return .each(verdicts)
    }

    /// The exchanges whose URL may hold a needle: the needle lies in a part, or begins in a part and goes on in the next.
    private func possible(_ needles: [[UInt8]], _ origin: LineColumn, _ path: LineColumn, _ query: LineColumn) -> [Int]
    {
        // A needle that begins with the sign between them may begin in no part at all.
        guard needles.allSatisfy({ !$0.isEmpty && $0.first != UInt8(ascii: "?") }) else {
            return Array(0..<block.count)
        }
        let (inOrigin, inPath) = (origin.touched(by: needles), path.touched(by: needles))
        let inQuery = query.touched(by: needles, goesOn: false)
        func touches(_ column: LineColumn, _ touched: [Bool], _ row: Int) -> Bool {
            column.numbers[row] != LineColumn.none && touched[Int(column.numbers[row])]
        }
        return (0..<block.count).filter {
            touches(origin, inOrigin, $0) || touches(path, inPath, $0) || touches(query, inQuery, $0)
        }
    }

    /// The verdict for each exchange, from the verdicts on texts.
    private func spread(_ verdicts: [UInt8], over column: LineColumn) -> ConditionColumn {
        guard verdicts.contains(where: { $0 != 0 }) else { return .same(.no) }
        return .each(column.numbers.map { $0 == LineColumn.none ? 0 : verdicts[Int($0)] })
    }
}
