import Foundation

/// Where inputs come from.
extension Fuzz {
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of a corpus.
    static func folder(_ name: String) -> URL { checkout.appending(path: "Tests/Corpus/\(name)") }

    /// The files of a corpus, in the order of their names.
    package static func corpus(_ name: String) throws -> [[UInt8]] {
        let files = try FileManager.default.contentsOfDirectory(at: folder(name), includingPropertiesForKeys: nil)
        return try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    /// An input that was changed in one to five places.
    func mutated(_ start: [UInt8], _ corpus: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = start
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + (1 << Int.random(in: 0...8, using: &random)))
            let piece = pieces.randomElement(using: &random) ?? []
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.replaceSubrange(place..<end, with: piece)
            case 4: bytes.insert(contentsOf: many(Array(bytes[place..<end]), &random), at: place)
            case 5: bytes.insert(contentsOf: many(piece, &random), at: place)
            case 6:
                // The beginning of one and the end of another.
                let other = corpus.randomElement(using: &random) ?? []
                bytes.replaceSubrange(place..., with: other.suffix(Int.random(in: 0...other.count, using: &random)))
            case 7: bytes.removeSubrange(place...)
            case 8: bytes.insert([0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0, at: place)
            default: bytes.insert(contentsOf: piece, at: place)
            }
        }
        return Array(bytes.prefix(mostBytes))
    }

    /// Some bytes many times, now and then as often as the longest input lets them.
    private func many(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let most = max(1, mostBytes / bytes.count)
        let isLong = Int.random(in: 0..<8, using: &random) == 0
        let count = isLong ? most : min(most, 1 << Int.random(in: 0...6, using: &random))
        var times: [UInt8] = []
        times.reserveCapacity(count * bytes.count)
        for _ in 0..<count { times += bytes }
        return times
    }
}
