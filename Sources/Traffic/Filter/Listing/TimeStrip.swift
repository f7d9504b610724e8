/// Exchanges counted by when they started, in slots of equal length, and by how they ended.
///
/// A slot has a round length and begins at a multiple of it, so that a strip drawn anew a moment later has the same slots and one more.
package struct TimeStrip: Hashable, Sendable {
    /// Slots that one strip has at most.
    package static let slotLimit = 1_000
    /// Lengths of slots in milliseconds: 1 ms to a day; longer ones are days doubled.
    private static let lengths: [Int64] =
        [1, 2, 5, 10, 20, 50, 100, 200, 500]
        + [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200].map { $0 * 1_000 }
        + (0..<24).map { 86_400_000 << $0 }

    /// When the first slot begins: microseconds since 1970; `nil` for a strip without slots.
    package let from: Int64?
    /// Milliseconds of one slot.
    package let slotMs: Int64
    /// How many slots there are.
    package let count: Int
    /// For each slot the counts of `StripKind.allCases`, one after the other.
    private var counts: [Int]

    /// Cuts a stretch of time into at most so many slots (1 to `slotLimit`).
    ///
    /// - Parameters:
    ///   - from: the beginning of the stretch: microseconds since 1970.
    ///   - end: the end of the stretch, exclusive; where it is not after `from`, the strip has no slots.
    ///   - slots: how many slots there are at most.
    package init(from: Int64, to end: Int64, slots: Int) {
        guard from < end else {
            (self.from, slotMs, count, counts) = (nil, 1, 0, [])
            return
        }
        let most = Int64(max(1, min(slots, TimeStrip.slotLimit)))
        for length in TimeStrip.lengths {
            let begin = TimeStrip.floor(from, length * 1_000) * length * 1_000
            let needed = TimeStrip.floor(end - 1 - begin, length * 1_000) + 1
            guard needed <= most else { continue }
            (self.from, slotMs, count) = (begin, length, Int(needed))
            counts = Array(repeating: 0, count: count * StripKind.allCases.count)
            return
        }
        // A multiple lies in the middle of what is to be one slot.
        (self.from, slotMs, count) = (from, (end - from) / most / 1_000 + 1, Int(most))
        counts = Array(repeating: 0, count: count * StripKind.allCases.count)
    }

    /// The end of the last slot, exclusive: microseconds since 1970.
    package var to: Int64? { from.map { $0 + Int64(count) * slotMs * 1_000 } }

    /// Counts one exchange; one that started outside of the strip counts nowhere.
    package mutating func add(started: Int64, _ kind: StripKind) {
        guard let from, started >= from else { return }
        let (distance, isBeyond) = started.subtractingReportingOverflow(from)
        let slot = Int(distance / (slotMs * 1_000))
        guard !isBeyond, slot < count else { return }
        counts[slot * StripKind.allCases.count + kind.rawValue] += 1
    }

    /// How many of a kind each slot has.
    package subscript(_ kind: StripKind) -> [Int] {
        (0..<count).map { counts[$0 * StripKind.allCases.count + kind.rawValue] }
    }

    /// Writes the strip as members of an open object.
    package func write(to json: inout JSONWriter) {
        json.string("from", from.map(Timestamp.text))
        json.string("to", to.map(Timestamp.text))
        json.integer("slotMs", slotMs)
        json.object("slots") { json in
            for kind in StripKind.allCases {
                json.array(kind.name) { json in for count in self[kind] { json.integer(nil, count) } }
            }
        }
    }

    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }
}
