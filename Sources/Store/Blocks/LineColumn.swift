import Foundation
import NIOCore
import Traffic

/// A text of the lines of a block's exchanges as a column: each text once, folded, with a number for each exchange.
///
/// The column is read only when a question needs it, and searched without being decoded.
struct LineColumn: Sendable, Equatable {
    /// The text that a column holds; the raw value is its place in the table.
    enum Kind: Int64, CaseIterable {
        /// The URL up to the target.
        case origin
        case path, query, port
        /// A letter for each trait: `m`odified by a rule, `r`eplayed, `t`runcated.
        case trait
    }

    /// The bits of a column's id that say which text it holds.
    static let kindBits: Int64 = 3
    /// The number that an exchange without such a text has.
    static let none = UInt16.max
    /// The byte between the texts of one exchange, and after each text: no text has this byte.
    static let mark: UInt8 = 0xFF

    /// The texts, each followed by a mark; an exchange with several texts has a mark between them.
    private(set) var bytes: [UInt8] = []
    /// Where each text ends, its mark included.
    private(set) var ends: [UInt32] = []
    /// The number of each exchange's text, by its position in the block.
    private(set) var numbers: [UInt16] = []

    /// Makes a column, exchange by exchange.
    struct Maker {
        private(set) var column = LineColumn()
        private var known: [Texts: UInt16] = [:]
        /// The texts that were added last, which most often come again, and their number.
        private var last = (texts: Texts([]), number: LineColumn.none)

        init(capacity: Int) { column.numbers.reserveCapacity(capacity) }

        /// Adds an exchange's texts; none where there is nothing to look for.
        mutating func add(_ texts: [String]) {
            let texts = Texts(texts)
            if texts != last.texts { last = (texts, known[texts] ?? number(new: texts)) }
            column.numbers.append(last.number)
        }

        /// Adds an exchange whose texts are those of the exchange before.
        mutating func addLast() { column.numbers.append(last.number) }

        private mutating func number(new texts: Texts) -> UInt16 {
            guard !texts.texts.isEmpty else { return LineColumn.none }
            let number = UInt16(truncatingIfNeeded: column.ends.count)
            for text in texts.texts {
                column.bytes.append(contentsOf: TextFold.bytes(text))
                column.bytes.append(LineColumn.mark)
            }
            column.ends.append(UInt32(truncatingIfNeeded: column.bytes.count))
            known[texts] = number
            return number
        }
    }

    /// An exchange's texts, compared by their bytes: what is searched for is found by its bytes.
    private struct Texts: Hashable {
        let texts: [String]

        init(_ texts: [String]) { self.texts = texts }

        static func == (one: Texts, other: Texts) -> Bool {
            one.texts.elementsEqual(other.texts) { ExactText($0) == ExactText($1) }
        }

        func hash(into hasher: inout Hasher) { for text in texts { hasher.combine(ExactText(text)) } }
    }

    private init() {}

    /// How many different texts there are.
    var count: Int { ends.count }

    /// The column as bytes, little-endian.
    func encoded() -> ByteBuffer {
        var encoded = ByteBuffer()
        encoded.writeInteger(UInt16(truncatingIfNeeded: numbers.count), endianness: .little)
        encoded.writeInteger(UInt16(truncatingIfNeeded: ends.count), endianness: .little)
        for number in numbers { encoded.writeInteger(number, endianness: .little) }
        for end in ends { encoded.writeInteger(end, endianness: .little) }
        encoded.writeBytes(bytes)
        return encoded
    }

    /// Reads a column of so many exchanges; `nil` when the bytes are not that.
    init?(_ raw: UnsafeRawBufferPointer, exchanges: Int) {
        func short(_ place: Int) -> UInt16 {
            UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt16.self))
        }
        guard raw.count >= 4, Int(short(0)) == exchanges else { return nil }
        let count = Int(short(2))
        let (firstEnd, firstByte) = (4 + 2 * exchanges, 4 + 2 * exchanges + 4 * count)
        guard firstByte <= raw.count else { return nil }
        numbers = [UInt16](unsafeUninitializedCapacity: exchanges) { numbers, written in
            for place in 0..<exchanges { numbers[place] = short(4 + 2 * place) }
            written = exchanges
        }
        ends = [UInt32](unsafeUninitializedCapacity: count) { ends, written in
            for place in 0..<count {
                ends[place] = UInt32(
                    littleEndian: raw.loadUnaligned(fromByteOffset: firstEnd + 4 * place, as: UInt32.self)
                )
            }
            written = count
        }
        bytes = Array(raw[firstByte...])
        var last: UInt32 = 0
        for end in ends {
            guard end > last else { return nil }
            last = end
        }
        guard Int(last) == bytes.count, numbers.allSatisfy({ Int($0) < count || $0 == LineColumn.none }) else {
            return nil
        }
    }

    /// For each number, whether its texts hold a needle or, where another text follows, end with the beginning of a needle.
    func touched(by needles: [[UInt8]], goesOn: Bool = true) -> [Bool] {
        var touched = [Bool](repeating: false, count: count)
        bytes.withUnsafeBytes { bytes in
            for needle in needles {
                let anchor = TextFold.anchor(of: needle)
                var (number, from) = (0, 0)
                while number < count, let place = TextFold.place(of: needle, anchor: anchor, in: bytes, from: from) {
                    while number < count, Int(ends[number]) <= place { number += 1 }
                    guard number < count else { break }
                    touched[number] = true
                    from = Int(ends[number])
                    number += 1
                }
                guard goesOn else { continue }
                for number in 0..<count where !touched[number] {
                    let (start, end) = (start(number), Int(ends[number]) - 1)
                    guard end > start else { continue }
                    let last = bytes[end - 1]
                    touched[number] = needle.indices.dropLast().contains { place in
                        needle[place] == last && end - start > place
                            && bytes[(end - 1 - place)..<end].elementsEqual(needle[...place])
                    }
                }
            }
        }
        return touched
    }

    /// Keeps only the exchanges at these positions, in their order.
    mutating func keep(_ rows: [Int]) { numbers = rows.map { numbers[$0] } }

    /// The length of each text, without the mark behind it.
    var lengths: [Int] {
        ends.indices.map { Int(ends[$0]) - ($0 == 0 ? 0 : Int(ends[$0 - 1])) - 1 }
    }

    /// The length of the first text of each number.
    var firstTextLengths: [Int] {
        bytes.withUnsafeBytes { bytes in
            ends.indices.map { number in
                let start = start(number)
                let length = Int(ends[number]) - start
                guard let base = bytes.baseAddress, let mark = memchr(base + start, Int32(LineColumn.mark), length)
                else {
                    return length - 1
                }
                return (base + start).distance(to: UnsafeRawPointer(mark))
            }
        }
    }

    private func start(_ number: Int) -> Int { number == 0 ? 0 : Int(ends[number - 1]) }

    /// Adds the length of each exchange's text.
    func addLengths(_ lengths: [Int], to sums: inout [Int]) {
        numbers.withUnsafeBufferPointer { numbers in
            for place in 0..<min(numbers.count, sums.count) where numbers[place] != LineColumn.none {
                sums[place] += lengths[Int(numbers[place])]
            }
        }
    }

    /// Copies each exchange's text to its place, which moves on.
    ///
    /// - Parameters:
    ///   - lengths: how much of each text is copied.
    ///   - target: where to.
    ///   - places: where each exchange's text goes.
    ///   - sign: what is put before each.
    func copy(_ lengths: [Int], to target: inout [UInt8], at places: inout [Int], after sign: UInt8? = nil) {
        let starts = [0] + ends.map { Int($0) }
        bytes.withUnsafeBytes { bytes in
            target.withUnsafeMutableBytes { target in
                guard let from = bytes.baseAddress, let to = target.baseAddress else { return }
                for place in 0..<min(numbers.count, places.count) where numbers[place] != LineColumn.none {
                    let number = Int(numbers[place])
                    let (length, room) = (lengths[number], target.count - places[place])
                    guard length + (sign == nil ? 0 : 1) <= room else { continue }
                    if let sign {
                        target[places[place]] = sign
                        places[place] += 1
                    }
                    (to + places[place]).copyMemory(from: from + starts[number], byteCount: length)
                    places[place] += length
                }
            }
        }
    }

    /// The texts of one number, without the mark behind them.
    func text(_ number: Int) -> ArraySlice<UInt8> {
        bytes[(number == 0 ? 0 : Int(ends[number - 1]))..<Int(ends[number]) - 1]
    }
}
