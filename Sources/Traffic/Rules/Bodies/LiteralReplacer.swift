import NIOCore

/// Replaces bytes by others in a body that comes in pieces, whatever the pieces are; it keeps back only what may be the beginning of an occurrence.
struct LiteralReplacer {
    /// Bytes by which a body may grow, all that is changed of it together; what would come after stays as it is.
    static let growthLimit = 8 << 20

    private let find: [UInt8]
    private let with: [UInt8]
    private let isFirstOnly: Bool
    private let search: ByteSearch
    /// The beginning of an occurrence whose rest has yet to come: less than `find`.
    private var held: [UInt8] = []
    /// Occurrences that were replaced.
    private(set) var count = 0
    /// Whether nothing more is replaced.
    private var isDone = false
    /// Whether an occurrence was left as it is, since the body would have grown too much.
    private(set) var isCut = false

    /// Replaces `find`, which is not empty, by `with`.
    init(_ find: [UInt8], with: [UInt8], isFirstOnly: Bool) {
        (self.find, self.with, self.isFirstOnly) = (find, with, isFirstOnly)
        search = ByteSearch(find)
        isDone = find.isEmpty || find == with
    }

    /// Replaces a text in a body whose charset has single bytes or is UTF-8; `nil` stands for one that cannot be read.
    ///
    /// - Throws: `RuleFault` where the charset lacks a character of what is put in. A text that it cannot hold is not found.
    init(_ replacement: ReadyReplacement, _ find: String, in charset: Charset?) throws(RuleFault) {
        let with = try BodyStep.bytes(of: replacement.plain, in: charset)
        let wanted = (try? BodyStep.bytes(of: find, in: charset)) ?? []
        self.init(wanted, with: with, isFirstOnly: replacement.isFirstOnly)
    }

    /// Takes the next piece; the piece itself is returned where it holds nothing to replace.
    ///
    /// - Parameters:
    ///   - piece: bytes, after those of the pieces before.
    ///   - isLast: whether nothing comes after it.
    ///   - room: bytes by which the body may still grow; it is reduced by what the piece grows by.
    /// - Returns: what goes on of it.
    mutating func take(_ piece: ByteBuffer, isLast: Bool = false, room: inout Int) -> ByteBuffer {
        var piece = piece
        if !held.isEmpty {
            var joined = ByteBuffer(bytes: held)
            joined.writeImmutableBuffer(piece)
            (piece, held) = (joined, [])
        }
        guard !isDone else { return piece }
        let (places, rest) = piece.withUnsafeReadableBytes { bytes in
            let places = occurrences(in: bytes, &room)
            let end = places.last.map { $0 + find.count } ?? 0
            guard !isLast, !isDone else { return (places, 0) }
            return (places, search.beginning(at: UnsafeRawBufferPointer(rebasing: bytes[end...])))
        }
        if rest > 0 {
            let start = piece.readerIndex + piece.readableBytes - rest
            held = piece.getBytes(at: start, length: rest) ?? []
            piece = piece.getSlice(at: piece.readerIndex, length: piece.readableBytes - rest) ?? ByteBuffer()
        }
        return places.isEmpty ? piece : replaced(piece, at: places)
    }

    /// Where `find` stands in some bytes and is replaced.
    private mutating func occurrences(in bytes: UnsafeRawBufferPointer, _ room: inout Int) -> [Int] {
        var places: [Int] = []
        var start = 0
        while !isDone, let place = search.next(in: bytes, from: start) {
            let growth = max(0, with.count - find.count)
            guard growth <= room else {
                (isCut, isDone) = (true, true)
                break
            }
            room -= growth
            places.append(place)
            count += 1
            isDone = isFirstOnly
            start = place + find.count
        }
        return places
    }

    /// Replaces nothing more by something longer, since there is no room for what the body grows by.
    mutating func cut() {
        guard !isDone, with.count > find.count else { return }
        (isCut, isDone) = (true, true)
    }

    private func replaced(_ piece: ByteBuffer, at places: [Int]) -> ByteBuffer {
        var out = ByteBuffer()
        out.reserveCapacity(piece.readableBytes + places.count * (with.count - find.count))
        piece.withUnsafeReadableBytes { bytes in
            var start = 0
            for place in places {
                out.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
                out.writeBytes(with)
                start = place + find.count
            }
            out.writeBytes(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        return out
    }
}
