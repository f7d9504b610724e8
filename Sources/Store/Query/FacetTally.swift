import Traffic

/// The counts of a filter's facets: each facet under the window of time, the conditions and the selections of all *other* facets.
///
/// An exchange that fails no facet counts in every facet. An exchange that fails one facet counts in that facet only. Any other counts nowhere.
struct FacetTally {
    /// How much of a block lies in the filter's window of time.
    enum Window {
        case inside, outside
        /// Some of it is outside: the starts of its exchanges.
        case cut([Int64])
    }

    /// Which of a block's exchanges the filter selects, by their position in it.
    enum Selected {
        case all, none
        case some([Int])
    }

    /// Exchanges that were looked at.
    private(set) var total = 0
    /// Exchanges that the filter selects.
    private(set) var matched = 0
    /// For each facet of `Facet.all`, every value that was seen, with its count.
    private var counts: [[String: Int]] = Array(repeating: [:], count: Facet.all.count)
    private let filter: Filter
    private let countsFacets: Bool
    /// For each facet the values that were held against its selection.
    private var decided: [[ExactText: Bool]] = Array(repeating: [:], count: Facet.all.count)
    /// Values of a facet that are remembered.
    private static let decidedLimit = 10_000
    /// A row's count of failed facets from which it counts nowhere.
    private static let outside: UInt8 = 2

    init(_ filter: Filter, countsFacets: Bool) {
        self.filter = filter
        self.countsFacets = countsFacets
    }

    // MARK: one exchange

    /// Counts one exchange.
    ///
    /// - Parameters:
    ///   - exchange: its line.
    ///   - conditionsHold: whether the filter's conditions do; asked only where it matters.
    /// - Returns: whether the filter selects it.
    /// - Throws: what `conditionsHold` throws.
    mutating func add(_ exchange: ExchangeSummary, conditionsHold: () throws -> Bool) rethrows -> Bool {
        total += 1
        let values = Facet.all.map { $0.value(exchange) }
        var failed = filter.accepts(started: exchange.started) ? 0 : Int(FacetTally.outside)
        var failing = 0
        for (position, facet) in Facet.all.enumerated() where !filter.accepts(values[position], in: facet) {
            failed += 1
            failing = position
        }
        if failed < askedBelow, !filter.conditions.isEmpty, try !conditionsHold() { failed = Int(FacetTally.outside) }
        if failed == 0 { matched += 1 }
        guard countsFacets else { return failed == 0 }
        for (position, value) in values.enumerated() {
            let isCounted = failed == 0 || (failed == 1 && failing == position)
            add(isCounted ? 1 : 0, of: value, at: position)
        }
        return failed == 0
    }

    /// The count of failed facets from which it makes no difference whether the conditions hold.
    private var askedBelow: Int { countsFacets ? Int(FacetTally.outside) : 1 }

    // MARK: a block

    /// Counts a block's exchanges and says which the filter selects.
    ///
    /// - Parameters:
    ///   - block: the block.
    ///   - window: how much of it lies in the filter's window of time.
    ///   - conditions: what its columns say about the filter's conditions.
    ///   - conditionsHold: whether they hold for the exchange at a position, where the columns leave it open and it matters.
    /// - Returns: what is selected.
    /// - Throws: what `conditionsHold` throws.
    mutating func add(
        _ block: FacetBlock,
        window: Window,
        conditions: ConditionColumn = .same(.yes),
        conditionsHold: (Int) throws -> Bool = { _ in true }
    ) rethrows -> Selected {
        total += block.count
        var failed = [UInt8](repeating: 0, count: block.count)
        var failing = [UInt8](repeating: 0, count: block.count)
        var isCut = false
        switch window {
        case .inside: break
        case .outside:
            noteValues(of: block)
            return .none
        case .cut(let started):
            isCut = true
            for (row, started) in started.enumerated() where !filter.accepts(started: started) {
                failed[row] = FacetTally.outside
            }
        }
        for (position, facet) in Facet.all.enumerated() {
            guard let accepted = accepted(block.columns[position].values, in: facet, at: position) else { continue }
            isCut = true
            FacetTally.mark(block.columns[position], accepted, UInt8(position), &failed, &failing)
        }
        switch conditions {
        case .same(.yes): break
        case .same(.no):
            noteValues(of: block)
            return .none
        case .same(.open), .each:
            isCut = true
            let limit = UInt8(askedBelow)
            for row in failed.indices where failed[row] < limit {
                let holds =
                    switch conditions[row] {
                    case .yes: true
                    case .no: false
                    case .open: try conditionsHold(row)
                    }
                if !holds { failed[row] = FacetTally.outside }
            }
        }
        guard isCut else {
            matched += block.count
            addAll(of: block)
            return block.count == 0 ? .none : .all
        }
        return addSome(of: block, failed, failing)
    }

    /// Which of a block's values the filter accepts; `nil` when it accepts all.
    private mutating func accepted(_ values: [String], in facet: Facet, at position: Int) -> [Bool]? {
        guard filter.selections[facet.name]?.isEmpty == false else { return nil }
        let accepted = values.map { value in
            let exact = ExactText(value)
            if let known = decided[position][exact] { return known }
            let isAccepted = filter.accepts(value, in: facet)
            if decided[position].count < FacetTally.decidedLimit { decided[position][exact] = isAccepted }
            return isAccepted
        }
        return accepted.contains(false) ? accepted : nil
    }

    /// Marks the rows whose value is not accepted.
    private static func mark(
        _ column: FacetBlock.Column,
        _ accepted: [Bool],
        _ position: UInt8,
        _ failed: inout [UInt8],
        _ failing: inout [UInt8]
    ) {
        let rejected = accepted.map { UInt8($0 ? 0 : 1) }
        guard !column.codes.isEmpty else {
            for row in failed.indices {
                failed[row] &+= 1
                failing[row] = position
            }
            return
        }
        failed.withUnsafeMutableBufferPointer { failed in
            failing.withUnsafeMutableBufferPointer { failing in
                column.codes.withUnsafeBufferPointer { codes in
                    rejected.withUnsafeBufferPointer { rejected in
                        for row in 0..<codes.count {
                            let fails = rejected[Int(codes[row])]
                            failed[row] &+= fails
                            failing[row] = fails == 1 ? position : failing[row]
                        }
                    }
                }
            }
        }
    }

    private mutating func addSome(of block: FacetBlock, _ failed: [UInt8], _ failing: [UInt8]) -> Selected {
        var selected: [Int] = []
        // The exchanges that fail one facet, each as its position and the facet.
        var almost: [(row: Int, facet: Int)] = []
        for row in failed.indices {
            switch failed[row] {
            case 0: selected.append(row)
            case 1 where countsFacets: almost.append((row, Int(failing[row])))
            default: break
            }
        }
        matched += selected.count
        if countsFacets {
            var counted = block.columns.map { [Int](repeating: 0, count: $0.values.count) }
            for (position, column) in block.columns.enumerated() where !column.values.isEmpty {
                FacetTally.count(selected, of: column, into: &counted[position])
            }
            for (row, position) in almost {
                let codes = block.columns[position].codes
                counted[position][codes.isEmpty ? 0 : Int(codes[row])] += 1
            }
            for (position, column) in block.columns.enumerated() {
                for (value, count) in zip(column.values, counted[position]) { add(count, of: value, at: position) }
            }
        }
        return selected.isEmpty ? .none : .some(selected)
    }

    /// Counts the values of rows.
    private static func count(_ rows: [Int], of column: FacetBlock.Column, into counted: inout [Int]) {
        guard !column.codes.isEmpty else { return counted[0] += rows.count }
        counted.withUnsafeMutableBufferPointer { counted in
            column.codes.withUnsafeBufferPointer { codes in
                for row in rows { counted[Int(codes[row])] &+= 1 }
            }
        }
    }

    private mutating func addAll(of block: FacetBlock) {
        guard countsFacets else { return }
        for (position, column) in block.columns.enumerated() {
            for (value, count) in zip(column.values, column.counts) { add(count, of: value, at: position) }
        }
    }

    private mutating func noteValues(of block: FacetBlock) {
        guard countsFacets else { return }
        for (position, column) in block.columns.enumerated() {
            for value in column.values { add(0, of: value, at: position) }
        }
    }

    /// Counts a facet's value, or each of a list of them.
    private mutating func add(_ count: Int, of value: String, at position: Int) {
        guard Facet.all[position].isList else {
            counts[position][value, default: 0] += count
            return
        }
        for single in Facet.all[position].singles(value) { counts[position][single, default: 0] += count }
    }

    // MARK: the answer

    /// The facets with their counts; a value that was seen stays listed at 0 in categories of up to this many values.
    static let smallCategory = 100

    /// Every facet's list, empty when facets were not to be counted.
    var listings: [FacetListing] {
        guard countsFacets else { return [] }
        return zip(Facet.all, counts).map { facet, counts in
            var seen = counts
            for selector in filter.selections[facet.name] ?? [] where !seen.keys.contains(where: selector.matches) {
                if let value = selector.namedValue(in: facet) { seen[value] = 0 }
            }
            let isSmall = counts.count <= FacetTally.smallCategory
            let values = seen.compactMap { value, count -> FacetCount? in
                let isSelected = filter.selects(value, in: facet)
                guard isSmall || count > 0 || isSelected else { return nil }
                return FacetCount(value: value, count: count, selected: isSelected)
            }
            return FacetListing(facet: facet, values: facet.ordered(values))
        }
    }
}
