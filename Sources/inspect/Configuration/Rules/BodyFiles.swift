import Traffic

/// The files that bodies are made of in one set of rules: each is read once, however often it is named, and all together are bounded.
final class BodyFiles {
    /// Bytes of all files together.
    static let limitBytes = 64 << 20

    private let limitBytes: Int
    private let read: (_ path: String, _ limitBytes: Int) throws(RuleFault) -> [UInt8]
    private var known: [String: [UInt8]] = [:]
    private var count = 0
    /// Whether a file was refused since all are too long together.
    private var isFull = false

    /// - Parameters:
    ///   - limitBytes: bytes of all files together.
    ///   - read: reads a file of at most so many bytes, or throws.
    init(
        limitBytes: Int = BodyFiles.limitBytes,
        read: @escaping (_ path: String, _ limitBytes: Int) throws(RuleFault) -> [UInt8] = BodyFiles.read
    ) {
        (self.limitBytes, self.read) = (limitBytes, read)
    }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - limitBytes: bytes of this file.
    /// - Returns: its bytes; nothing behind a file that was refused since all are too long, for that one mistake is told once, and refuses the set.
    /// - Throws: `RuleFault` where it cannot be read, where it is longer, and once where all together are too long.
    func bytes(_ path: String, limitBytes: Int) throws(RuleFault) -> [UInt8] {
        if let bytes = known[path] { return bytes }
        guard !isFull else { return [] }
        let bytes = try read(path, limitBytes)
        count += bytes.count
        guard count <= self.limitBytes else {
            (isFull, known) = (true, [:])
            throw RuleFault("the files that bodies are made of are over \(self.limitBytes >> 20) MiB together")
        }
        known[path] = bytes
        return bytes
    }

    private static func read(_ path: String, limitBytes: Int) throws(RuleFault) -> [UInt8] {
        do {
            let file = try OpenedFile(path)
            guard file.length <= limitBytes else { throw RuleFault("it is over \(limitBytes >> 20) MiB") }
            return try file.read(at: 0, count: file.length)
        } catch {
            throw error as? RuleFault ?? RuleFault("\(error)")
        }
    }
}
