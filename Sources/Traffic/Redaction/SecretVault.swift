/// The placeholders of one export's secrets: a secret has the same one wherever it stands, and none tells its secret.
///
/// The digits come from a digest under a key that is made for the export and forgotten with it, so that nobody can try out short secrets.
struct SecretVault {
    /// A digest under a key: bytes in, at least 16 bytes out.
    typealias Digest = @Sendable ([UInt8]) -> [UInt8]

    /// The most placeholders that have only as many digits as tell them apart; a later placeholder has 24.
    private static let nameLimit = 50_000
    /// A longer secret is masked only where a name calls it one; else a whole file might be searched for in every text.
    static let longestKnownBytes = 4_096

    private let digest: Digest
    /// The most secrets, and the most bytes of secrets, that are recognised where no name tells of them; memory holds each.
    private let knownLimit: Int
    private let knownLimitBytes: Int
    /// The placeholder of each secret by its digest.
    private var names: [[UInt8]: String] = [:]
    private var taken: Set<String> = []
    private var known = SecretTree()
    /// How many secrets are recognised wherever they stand, and their bytes together.
    private(set) var knownCount = 0
    private(set) var knownBytes = 0
    /// Whether there were more secrets, or longer ones, than are recognised wherever they stand.
    private(set) var isFull = false

    init(knownLimit: Int, knownLimitBytes: Int, digest: @escaping Digest) {
        (self.knownLimit, self.knownLimitBytes, self.digest) = (knownLimit, knownLimitBytes, digest)
    }

    /// The placeholder of a secret; its first kind stays.
    mutating func name(_ secret: [UInt8], _ kind: SecretKind) -> [UInt8] {
        let digest = digest(secret)
        if let name = names[digest] { return Array(name.utf8) }
        let digits = Hexadecimal.text(digest)
        guard names.count < SecretVault.nameLimit else { return Array("<\(kind.rawValue):\(digits.prefix(24))>".utf8) }
        var length = 4
        while length < digits.utf8.count, taken.contains(String(digits.prefix(length))) { length += 2 }
        taken.insert(String(digits.prefix(length)))
        let name = "<\(kind.rawValue):\(digits.prefix(length))>"
        names[digest] = name
        return Array(name.utf8)
    }

    /// Remembers a secret, so that it is found where no name tells of it; a short one is not, because harmless words may contain it.
    mutating func remember(_ secret: [UInt8], as name: [UInt8]) {
        guard secret.count >= SecretTree.leastBytes, Set(secret).count > 3, !known.contains(secret) else { return }
        guard knownCount < knownLimit, secret.count <= SecretVault.longestKnownBytes,
            knownBytes + secret.count <= knownLimitBytes
        else {
            isFull = true
            return
        }
        known.insert(secret, as: name)
        knownCount += 1
        knownBytes += secret.count
    }

    /// Whether these bytes are a placeholder that was given out, with digits that are kept.
    func isName(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">"), bytes.count < 48,
            let colon = bytes.firstIndex(of: ASCII.colon),
            SecretKind(rawValue: String(decoding: bytes[1..<colon], as: UTF8.self)) != nil
        else { return false }
        return taken.contains(String(decoding: bytes[(colon + 1)...].dropLast(), as: UTF8.self))
    }

    /// The places of remembered secrets in a text, the longest at each place, without overlaps.
    func occurrences(in bytes: [UInt8]) -> [(range: Range<Int>, name: [UInt8])] { known.occurrences(in: bytes) }
}
