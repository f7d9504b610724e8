import Foundation
import GRDB
import NIOCore
import Traffic

/// The number of a kept body: its exchange's number and its side, so that no number needs to be given out.
typealias BodyID = Int64

/// The kept bytes of bodies as chunk rows, each at most 256 KiB, so that no body is ever held whole; equal bodies are kept once.
struct BodyVault {
    /// What two bodies have in common where one may share the other's bytes.
    struct Fingerprint: Hashable, Sendable {
        /// The beginning of the digest, which tells nearly all bodies apart; it is compared first.
        private let beginning: UInt64
        private let sha256: [UInt8]
        private let length: Int64
        private let kept: Int64

        init(sha256: [UInt8], length: Int64, kept: Int64) {
            beginning = sha256.withUnsafeBytes { $0.count >= 8 ? $0.loadUnaligned(as: UInt64.self) : 0 }
            self.sha256 = sha256
            self.length = length
            self.kept = kept
        }

        /// A digest needs no mixing: its beginning is as good as the whole.
        func hash(into hasher: inout Hasher) { hasher.combine(beginning) }
    }

    /// The bodies stored last, which a new body can share.
    typealias Memory = HalvingMap<Fingerprint, BodyID>

    /// Digests that are remembered, some 150 bytes each.
    static let memoryLimit = 8192
    /// The greatest chunk.
    static let chunkBytes = 256 << 10
    /// A last chunk that stays within this is appended to, so that a trickled body does not become a row a packet.
    private static let trickleBytes = 16 << 10
    /// The bits of a chunk's id that number it within its body: 2^20 chunks, at least 8 GiB.
    static let sequenceBits: Int64 = 20
    /// The bits of a chunk's id that name it within its exchange.
    static let exchangeBits = sequenceBits + 1

    private var insertion: RawStatement
    private var appending: RawStatement
    private var deletion: RawStatement
    private var sharing: BodySharing
    /// Bytes kept of one body at most; bytes beyond are dropped here too, should the proxy send them.
    private let limitBytes: Int64

    init(_ db: Database, limitBytes: Int64) throws {
        insertion = try RawStatement("INSERT INTO body_chunk (id, bytes) VALUES (?, ?)", on: db)
        appending = try RawStatement("UPDATE body_chunk SET bytes = CAST(bytes || ? AS BLOB) WHERE id = ?", on: db)
        deletion = try BodyVault.deletion(on: db)
        sharing = try BodySharing(db)
        self.limitBytes = limitBytes
    }

    /// The greatest number that a body can have.
    static let greatestBody: BodyID = Int64.max >> sequenceBits - 1

    /// The number of an exchange's own body.
    static func body(of exchange: ExchangeID, _ side: MessageSide) -> BodyID {
        exchange << 1 | (side == .request ? 0 : 1)
    }

    /// The ids that the chunks of a body can have; `nil` for a number that no body can have, and of which nothing is kept.
    private static func chunkIDs(of id: BodyID) -> Range<Int64>? {
        guard (0...greatestBody).contains(id) else { return nil }
        return id << sequenceBits..<(id + 1) << sequenceBits
    }

    /// The first `BodyStart.limitBytes` of a kept body; none in a spool that was begun behind them.
    static func start(of body: StoredBody, in db: Database) throws -> [UInt8] {
        guard let ids = body.id.flatMap(chunkIDs) else { return [] }
        let pieces = try Data.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT substr(bytes, 1, ?1) FROM body_chunk
                    WHERE id >= ?2 AND id < ?3 AND EXISTS (SELECT 1 FROM body_chunk WHERE id = ?2) ORDER BY id
                    """
            ),
            arguments: [BodyStart.limitBytes, ids.lowerBound, ids.upperBound]
        )
        var bytes: [UInt8] = []
        while bytes.count < BodyStart.limitBytes, let piece = try pieces.next() { bytes.append(contentsOf: piece) }
        return Array(bytes.prefix(BodyStart.limitBytes))
    }

    /// Adds bytes to the end of a body.
    mutating func append(_ bytes: ByteBuffer, to open: inout OpenBody, id: BodyID) throws {
        var rest = bytes
        let room = max(0, limitBytes - open.bytes)
        if Int64(rest.readableBytes) > room { rest.moveWriterIndex(to: rest.readerIndex + Int(room)) }
        if open.chunks > 0, rest.readableBytes > 0, open.lastChunkBytes + rest.readableBytes <= BodyVault.trickleBytes {
            appending.bind(rest)
            appending.bind(id << BodyVault.sequenceBits | (open.chunks - 1))
            // The last piece is in another file where this is a spool that was begun after it.
            if try appending.runCounting() > 0 {
                open.lastChunkBytes += rest.readableBytes
                open.bytes += Int64(rest.readableBytes)
                return
            }
        }
        while let chunk = rest.readSlice(length: min(rest.readableBytes, BodyVault.chunkBytes)), chunk.readableBytes > 0
        {
            insertion.bind(id << BodyVault.sequenceBits | open.chunks)
            insertion.bind(chunk)
            try insertion.run()
            open.chunks += 1
            open.lastChunkBytes = chunk.readableBytes
            open.bytes += Int64(chunk.readableBytes)
        }
    }

    /// Ends a body with its last bytes; where an equal body is kept already, the stored bytes of this body are dropped.
    ///
    /// A body whose digest nobody has checked is not `isShared`.
    mutating func finish(
        _ body: Body,
        tail: ByteBuffer,
        open: OpenBody,
        id: BodyID,
        _ memory: inout Memory,
        isShared: Bool = true
    ) throws -> StoredBody {
        let kept = min(open.bytes + Int64(tail.readableBytes), limitBytes)
        guard kept > 0 else { return StoredBody(id: nil, kept: 0) }
        let fingerprint = Fingerprint(sha256: body.sha256, length: body.length, kept: kept)
        let isKnown = isShared && body.sha256.count == 32
        if isKnown, let equal = memory[fingerprint] {
            if open.chunks > 0 { try remove(id) }
            try sharing.add(equal)
            return StoredBody(id: equal, kept: kept)
        }
        var open = open
        try append(tail, to: &open, id: id)
        if isKnown { memory.insert(id, for: fingerprint) }
        return StoredBody(id: id, kept: kept)
    }

    /// Releases a body that a deleted message had; returns whether no other message has it, so that its bytes are deleted.
    mutating func release(_ id: BodyID) throws -> Bool {
        guard try sharing.release(id) else { return false }
        try remove(id)
        return true
    }

    private mutating func remove(_ id: BodyID) throws { try BodyVault.remove(id, with: &deletion) }

    /// Deletes the bytes of a body that no message has.
    static func remove(_ id: BodyID, in db: Database) throws {
        var deletion = try deletion(on: db)
        try remove(id, with: &deletion)
    }

    private static func deletion(on db: Database) throws -> RawStatement {
        try RawStatement("DELETE FROM body_chunk WHERE id >= ? AND id < ?", on: db)
    }

    private static func remove(_ id: BodyID, with deletion: inout RawStatement) throws {
        guard let ids = chunkIDs(of: id) else { return }
        deletion.bind(ids.lowerBound)
        deletion.bind(ids.upperBound)
        try deletion.run()
    }

    /// Reads kept bytes of a body from `offset`, at most `limitBytes`.
    ///
    /// - Parameters:
    ///   - id: the body.
    ///   - offset: the first byte that is wanted.
    ///   - limitBytes: bytes at most.
    ///   - place: a piece of this body not behind `offset`, if one is known, and then the last piece that was read; of no use where no bytes are returned.
    ///   - db: where.
    /// - Returns: the bytes; none past the end.
    /// - Throws: what SQLite says.
    static func read(
        _ id: BodyID,
        offset: Int64,
        limitBytes: Int,
        from place: inout BodyPlace?,
        in db: Database
    ) throws -> [UInt8] {
        guard limitBytes > 0, offset >= 0, let ids = chunkIDs(of: id) else { return [] }
        let known = place.flatMap { $0.start <= offset ? $0 : nil } ?? BodyPlace(chunk: ids.lowerBound)
        // Most often the body is read from its beginning, or on from a piece, and nothing has to be skipped.
        let found =
            known.start == offset ? known : try self.place(of: offset, before: ids.upperBound, from: known, in: db)
        place = found
        guard let found else { return [] }
        var start = found.start
        var chunks = try RawStatement("SELECT id, bytes FROM body_chunk WHERE id >= ? AND id < ? ORDER BY id", on: db)
        defer { chunks.reset() }
        chunks.bind(found.chunk)
        chunks.bind(ids.upperBound)
        var bytes: [UInt8] = []
        while bytes.count < limitBytes, try chunks.step() {
            let chunk = chunks.integer() ?? found.chunk
            // Later pieces alone, as in a spool that was put aside, are no beginning.
            guard start > found.start || chunk == found.chunk else { return [] }
            place = BodyPlace(chunk: chunk, start: start)
            chunks.withBlob { piece in
                let wanted = piece.dropFirst(Int(max(0, offset - start))).prefix(limitBytes - bytes.count)
                bytes.append(contentsOf: wanted)
                start += Int64(piece.count)
            }
        }
        return bytes
    }

    /// The piece that holds a byte of a body, looked for from a known piece on; `nil` past the end.
    ///
    /// All pieces of the body have ids below `end`.
    private static func place(
        of offset: Int64,
        before end: Int64,
        from known: BodyPlace,
        in db: Database
    ) throws -> BodyPlace? {
        // The length of a blob is read without its bytes, so skipping is cheap.
        var lengths = try RawStatement(
            "SELECT id, length(bytes) FROM body_chunk WHERE id >= ? AND id < ? ORDER BY id",
            on: db
        )
        defer { lengths.reset() }
        lengths.bind(known.chunk)
        lengths.bind(end)
        var start = known.start
        while try lengths.step() {
            let (chunk, length) = (lengths.integer() ?? 0, lengths.integer() ?? 0)
            guard start > known.start || chunk == known.chunk else { return nil }
            if offset - start < length { return BodyPlace(chunk: chunk, start: start) }
            start += length
        }
        return nil
    }

    /// The kept bytes of an exchange's own body, counted from its chunks.
    static func keptBytes(_ id: BodyID, in db: Database) throws -> Int64 {
        guard let ids = chunkIDs(of: id) else { return 0 }
        var sum = try RawStatement(
            "SELECT coalesce(sum(length(bytes)), 0) FROM body_chunk WHERE id >= ? AND id < ?",
            on: db
        )
        defer { sum.reset() }
        sum.bind(ids.lowerBound)
        sum.bind(ids.upperBound)
        return try sum.step() ? sum.integer() ?? 0 : 0
    }
}
