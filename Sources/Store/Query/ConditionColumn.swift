import Traffic

/// The answer of a block's columns to a condition, for each of its exchanges.
enum ConditionColumn {
    /// The answer for one exchange.
    enum Verdict: UInt8 {
        case no = 0
        /// The columns cannot say: the row has to be looked at.
        case open = 1
        case yes = 2
    }

    /// The same answer for all exchanges.
    case same(Verdict)
    /// By position: raw values.
    case each([UInt8])

    /// The answer for the exchange at a position.
    subscript(position: Int) -> Verdict {
        switch self {
        case .same(let verdict): verdict
        case .each(let column): Verdict(rawValue: column[position]) ?? .open
        }
    }

    /// How many of so many exchanges are left open.
    func openCount(of count: Int) -> Int {
        switch self {
        case .same(let verdict): verdict == .open ? count : 0
        case .each(let column): column.count { $0 == Verdict.open.rawValue }
        }
    }

    /// Asks a block about a condition.
    ///
    /// - Parameters:
    ///   - condition: the condition.
    ///   - columns: the block's columns; only those that the condition needs are read.
    /// - Throws: what SQLite says.
    init(_ condition: FilterCondition, _ columns: BlockColumns) throws {
        switch condition {
        case .test(let test): self = try ConditionColumn.test(test, columns)
        case .not(let part): self = try ConditionColumn(part, columns).map { 2 - $0 }
        case .all(let parts):
            var all = ConditionColumn.same(.yes)
            for part in parts {
                if case .same(.no) = all { break }
                all = all.joined(try ConditionColumn(part, columns)) { min($0, $1) }
            }
            self = all
        case .any(let parts):
            var any = ConditionColumn.same(.no)
            for part in parts {
                if case .same(.yes) = any { break }
                any = any.joined(try ConditionColumn(part, columns)) { max($0, $1) }
            }
            self = any
        }
    }

    private static func test(_ test: FilterTest, _ columns: BlockColumns) throws -> ConditionColumn {
        let block = columns.block
        switch test {
        case .facet(let facet, let wanted):
            return values(of: facet, in: block) { facet.isMeant($0, by: wanted) }
        case .since(let time): return .each(try columns.numbers().started.map { verdict($0 >= time) })
        case .before(let time): return .each(try columns.numbers().started.map { verdict($0 < time) })
        case .number(let number, let ranges):
            let column: [Int64]
            switch number {
            case .port: return try columns.port(ranges)
            case .id: column = block.offsets.map { block.firstID + Int64($0) }
            case .size: column = try columns.numbers().responseBytes
            case .reqsize: column = try columns.numbers().requestBytes
            // An unknown duration is -1, which no range has.
            case .time: column = try columns.numbers().duration
            }
            return .each(column.map { value in verdict(ranges.contains { $0.contains(value) }) })
        case .trait(let traits):
            let isWebSocket = HTTPVersion.webSocket.rawValue
            var known =
                traits.contains(.websocket) ? values(of: .version, in: block) { $0 == isWebSocket } : .same(.no)
            if traits.contains(.favourite) {
                let favourites = try columns.marks().favourites
                known = known.joined(column(of: block, favourites.isEmpty) { favourites.contains($0) }) { max($0, $1) }
            }
            if traits.contains(.failedInside) { known = known.joined(mayFailInside(block)) { max($0, $1) } }
            return known.joined(try columns.traits(traits)) { max($0, $1) }
        case .line(.note, let patterns):
            let notes = try columns.marks().notes
            return column(of: block, notes.isEmpty) { id in
                notes[id].map { note in patterns.contains { $0.matches(note) } } ?? false
            }
        case .line(.session, let patterns):
            let sessions = try columns.marks().sessions.map { session in
                (
                    first: session.first,
                    holds: session.name.map { name in patterns.contains { $0.matches(name) } } ?? false
                )
            }
            return column(of: block, !sessions.contains(where: \.holds)) { id in
                sessions.last { $0.first <= id }?.holds ?? false
            }
        case .header, .body, .json, .message, .text: return try columns.texts(test)
        case .line(let line, let patterns): return try columns.line(line, patterns)
        }
    }

    /// Open for the exchanges that `ExchangeSummary.mayFailInside`, whose bodies have to be looked at.
    private static func mayFailInside(_ block: FacetBlock) -> ConditionColumn {
        let isWhole = values(of: .outcome, in: block) { $0 == Outcome.completed.rawValue }
        let isSuccess = values(of: .code, in: block) { FacetSelector.codes(200...299).matches($0) }
        let hasLens = values(of: .lens, in: block) { $0 != Facet.none }
        let mayTell = values(of: .type, in: block) { ExchangeSummary.mayTellFailure($0) }
        let isRead = hasLens.joined(mayTell) { max($0, $1) }
        let all = isWhole.joined(isSuccess) { min($0, $1) }.joined(isRead) { min($0, $1) }
        return all.map { min($0, Verdict.open.rawValue) }
    }

    /// A verdict for each exchange by its id; `isNone` says that it holds for no exchange.
    private static func column(of block: FacetBlock, _ isNone: Bool, _ holds: (ExchangeID) -> Bool) -> ConditionColumn {
        isNone ? .same(.no) : .each(block.offsets.map { verdict(holds(block.firstID + ExchangeID($0))) })
    }

    private static func verdict(_ holds: Bool) -> UInt8 { holds ? Verdict.yes.rawValue : Verdict.no.rawValue }

    /// A facet's values, each looked at once.
    private static func values(
        of facet: Facet,
        in block: FacetBlock,
        _ isWanted: (String) -> Bool
    ) -> ConditionColumn {
        guard let position = Facet.all.firstIndex(of: facet), position < block.columns.count else {
            return .same(.open)
        }
        let column = block.columns[position]
        let verdicts = column.values.map { verdict(isWanted($0)) }
        guard let first = verdicts.first else { return .same(.no) }
        if verdicts.allSatisfy({ $0 == first }) { return .same(Verdict(rawValue: first) ?? .open) }
        return .each(column.codes.map { verdicts[Int($0)] })
    }

    private func map(_ change: (UInt8) -> UInt8) -> ConditionColumn {
        switch self {
        case .same(let verdict): .same(Verdict(rawValue: change(verdict.rawValue)) ?? .open)
        case .each(let column): .each(column.map(change))
        }
    }

    private func joined(_ other: ConditionColumn, _ join: (UInt8, UInt8) -> UInt8) -> ConditionColumn {
        switch (self, other) {
        case (.same(let left), _): other.map { join(left.rawValue, $0) }
        case (_, .same(let right)): map { join($0, right.rawValue) }
        case (.each(let left), .each(let right)): .each(zip(left, right).map(join))
        }
    }
}
