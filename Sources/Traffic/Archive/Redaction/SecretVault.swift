/// The names of the secrets of one export: the same secret has the same name wherever it stands, and no name says what it stands for.
///
/// A name's digits come from a digest under a key that is made for the export and forgotten with it, so that nobody can try out short secrets.
struct SecretVault {
    /// A digest under a key: bytes in, at least 16 bytes out.
    typealias Digest = @Sendable ([UInt8]) -> [UInt8]

    /// Secrets that are recognised where nothing names them; each is held.
    private static let knownLimit = 20_000
    /// Names that are kept apart; beyond, names are long enough not to meet.
    private static let nameLimit = 50_000
    /// A shorter secret is masked only where its name says what it is: it would be found in innocent words.
    private static let leastKnownBytes = 8

    private let digest: Digest
    /// The placeholder of each secret by its digest.
    private var names: [[UInt8]: String] = [:]
    private var taken: Set<String> = []
    /// Secrets by their first eight bytes.
    private var known: [UInt64: [(secret: [UInt8], name: [UInt8])]] = [:]
    /// How many secrets are recognised wherever they stand.
    private(set) var knownCount = 0

    init(digest: @escaping Digest) { self.digest = digest }

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

    /// Remembers a secret, so that it is found where nothing names it.
    mutating func remember(_ secret: [UInt8], as name: [UInt8]) {
        guard secret.count >= SecretVault.leastKnownBytes, knownCount < SecretVault.knownLimit,
            Set(secret).count > 3
        else { return }
        let start = SecretVault.start(secret[...])
        if known[start]?.contains(where: { $0.secret == secret }) == true { return }
        known[start, default: []].append((secret, name))
        knownCount += 1
    }

    /// Whether these bytes are a placeholder that was given out, with digits that are kept.
    func isName(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">"), bytes.count < 48,
            let colon = bytes.firstIndex(of: ASCII.colon)
        else { return false }
        return taken.contains(String(decoding: bytes[(colon + 1)...].dropLast(), as: UTF8.self))
    }

    /// The text with every remembered secret replaced, each told of; `nil` when there is none in it.
    func replaced(in bytes: [UInt8], _ found: () -> Void) -> [UInt8]? {
        guard !known.isEmpty, bytes.count >= SecretVault.leastKnownBytes else { return nil }
        var out: [UInt8] = []
        var copied = 0
        var index = 0
        var start = SecretVault.start(bytes[...])
        while index + 8 <= bytes.count {
            if let candidates = known[start],
                let hit = candidates.filter({ bytes[index...].starts(with: $0.secret) }).max(by: {
                    $0.secret.count < $1.secret.count
                })
            {
                out += bytes[copied..<index] + hit.name
                found()
                index += hit.secret.count
                copied = index
                start = SecretVault.start(bytes[index...])
                continue
            }
            index += 1
            if index + 8 <= bytes.count { start = start << 8 | UInt64(bytes[index + 7]) }
        }
        guard copied > 0 else { return nil }
        return out + bytes[copied...]
    }

    private static func start(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
