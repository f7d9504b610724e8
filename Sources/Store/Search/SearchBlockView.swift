import Traffic

/// A search block in SQLite's memory, searched without being decoded.
struct SearchBlockView {
    private let places: UnsafeRawBufferPointer
    /// For each section, where its ends are in `places`, and how many there are.
    private var ends: [(start: Int, count: Int)] = []
    /// Where the entries begin.
    private var entries = 0

    /// Reads where sections and entries are; `nil` when the bytes are not those of a block.
    init?(places: UnsafeRawBufferPointer) {
        self.places = places
        var place = 0
        for _ in SearchPart.Section.allCases {
            guard let count = number(at: place) else { return nil }
            ends.append((place + 2, count))
            place += 2 + 4 * count
        }
        guard place <= places.count else { return nil }
        entries = place
    }

    private func number(at place: Int) -> Int? {
        guard place >= 0, place + 2 <= places.count else { return nil }
        return Int(UInt16(littleEndian: places.loadUnaligned(fromByteOffset: place, as: UInt16.self)))
    }

    /// Texts of a section.
    func count(_ section: SearchPart.Section) -> Int { ends[section.rawValue].count }

    private func end(_ number: Int, _ section: SearchPart.Section) -> Int {
        let place = ends[section.rawValue].start + 4 * number
        return Int(UInt32(littleEndian: places.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }

    /// Goes through the texts of a section that hold a needle; false when the section is not what the places say.
    func each(
        _ section: SearchPart.Section,
        holding needle: [UInt8],
        in bytes: UnsafeRawBufferPointer,
        _ found: (Int) -> Void
    ) -> Bool {
        let count = count(section)
        guard count > 0 else { return true }
        guard end(count - 1, section) == bytes.count else { return false }
        var start = 0
        var number = 0
        let anchor = TextFold.anchor(of: needle)
        while let place = TextFold.place(of: needle, anchor: anchor, in: bytes, from: start) {
            var (first, last) = (number, count - 1)
            while first < last {
                let middle = (first + last) / 2
                if end(middle, section) <= place { first = middle + 1 } else { last = middle }
            }
            found(first)
            number = first + 1
            start = end(first, section)
            guard number < count, start <= bytes.count else { break }
        }
        return true
    }

    /// Goes through the texts of a section; false when the section is not what the places say.
    func each(
        _ section: SearchPart.Section,
        in bytes: UnsafeRawBufferPointer,
        _ visit: (Int, UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var start = 0
        for number in 0..<count(section) {
            let end = end(number, section)
            guard start < end, end <= bytes.count else { return false }
            visit(number, UnsafeRawBufferPointer(rebasing: bytes[start..<end - 1]))
            start = end
        }
        return true
    }

    /// Visits the exchanges: place in the block, parts that are too long, parts that were cut, and the greatest verdict on their texts.
    ///
    /// - Parameters:
    ///   - parts: one bit for each part that counts.
    ///   - verdicts: for each section, the verdicts on its texts.
    ///   - visit: called for each exchange.
    /// - Returns: false when the bytes are not those of a block.
    func eachEntry(
        _ parts: UInt8,
        _ verdicts: [[UInt8]],
        _ visit: (Int, UInt8, UInt8, UInt8) -> Void
    ) -> Bool {
        var place = entries
        while place < places.count {
            guard place + 3 <= places.count else { return false }
            let (offset, large, cut) = (Int(places[place]), places[place + 1], places[place + 2])
            place += 3
            var greatest: UInt8 = 0
            for part in SearchPart.allCases {
                guard let count = number(at: place) else { return false }
                place += 2
                let next = place + 2 * count
                guard next <= places.count else { return false }
                let found = verdicts[part.section.rawValue]
                if parts >> UInt8(part.rawValue) & 1 == 1, !found.isEmpty {
                    while place < next {
                        let text = Int(
                            UInt16(littleEndian: places.loadUnaligned(fromByteOffset: place, as: UInt16.self))
                        )
                        guard text < found.count else { return false }
                        greatest = max(greatest, found[text])
                        place += 2
                    }
                }
                place = next
            }
            guard offset < Int(SearchBlock.capacity) else { return false }
            visit(offset, large, cut, greatest)
        }
        return true
    }
}
