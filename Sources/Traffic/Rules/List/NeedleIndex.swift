/// Finds, of many entries, those whose needles a text contains, without searching the text for each of them.
///
/// The needles are filed under one piece of them, of three bytes where they are that long: the one that the fewest entries have. A text is searched only
/// for the needles whose piece it has.
struct NeedleIndex: Sendable {
    /// Needles of an entry, all of which the text must contain.
    private struct Filed {
        let entry: Int
        let needles: [[UInt8]]
    }

    /// So many are searched for one by one, which is quicker than to look at each place of a text.
    private static let fewLimit = 32
    /// Pieces of one entry's needles of which the rarest is sought.
    private static let pieceLimit = 256

    private var filed: [Filed] = []
    /// Places in `filed` by the piece; empty where there are few.
    private var byPiece: [UInt32: [Int]] = [:]
    /// The lengths of the pieces in bytes.
    private var lengths: [Int] = []
    /// A bit for the pieces of each remainder: most places of a text have none of them.
    private var bits: [UInt64] = []

    /// Files entries.
    ///
    /// - Parameter entries: each with alternatives, of which a text must contain one; of an alternative it must contain every needle. No alternative is
    ///   empty, and no needle is.
    init(_ entries: [(entry: Int, alternatives: [[[UInt8]]])]) {
        for (entry, alternatives) in entries { filed += alternatives.map { Filed(entry: entry, needles: $0) } }
        guard filed.count > NeedleIndex.fewLimit else { return }
        let pieces = filed.map { NeedleIndex.pieces(of: $0.needles) }
        var counts: [UInt32: Int] = [:]
        for piece in pieces.joined() { counts[piece, default: 0] += 1 }
        bits = [UInt64](repeating: 0, count: 1 << 10)
        for (place, pieces) in pieces.enumerated() {
            guard let rarest = pieces.min(by: { counts[$0, default: 0] < counts[$1, default: 0] }) else { continue }
            byPiece[rarest, default: []].append(place)
            let bit = NeedleIndex.bit(of: rarest)
            bits[bit >> 6] |= 1 << UInt64(bit & 63)
        }
        lengths = Set(byPiece.keys.map { Int($0 >> 24) }).sorted()
    }

    var isEmpty: Bool { filed.isEmpty }

    /// Gives the entries that a text may match; one may be given more than once, and their order is none.
    func each(in text: [UInt8], _ give: (Int) -> Void) {
        func look(_ filed: Filed) {
            if filed.needles.allSatisfy({ TextFold.find($0, in: text) != nil }) { give(filed.entry) }
        }
        guard !byPiece.isEmpty else { return filed.forEach(look) }
        var seen: Set<UInt32> = []
        for length in lengths where length <= text.count {
            for start in 0...(text.count - length) {
                let piece = NeedleIndex.piece(text[start..<start + length])
                let bit = NeedleIndex.bit(of: piece)
                guard bits[bit >> 6] & 1 << UInt64(bit & 63) != 0, let places = byPiece[piece],
                    seen.insert(piece).inserted
                else { continue }
                for place in places { look(filed[place]) }
            }
        }
    }

    /// Pieces of needles, all as long as the longest can be.
    private static func pieces(of needles: [[UInt8]]) -> [UInt32] {
        let length = min(3, needles.map(\.count).max() ?? 0)
        guard length > 0 else { return [] }
        var pieces: [UInt32] = []
        for needle in needles where needle.count >= length {
            for start in 0...(needle.count - length) {
                guard pieces.count < pieceLimit else { return pieces }
                pieces.append(piece(needle[start..<start + length]))
            }
        }
        return pieces
    }

    /// Up to three bytes, and how many they are.
    private static func piece(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) } | UInt32(bytes.count) << 24
    }

    /// A number below 65,536.
    private static func bit(of piece: UInt32) -> Int { Int((piece &* 0x9E37_79B1) >> 16) }
}
