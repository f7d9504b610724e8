/// The names of the secrets of one export: the same secret has the same name wherever it stands, and no name says what it stands for.
///
/// A name's digits come from a digest under a key that is made for the export and forgotten with it, so that nobody can try out short secrets.
struct SecretVault {
    /// A digest under a key: bytes in, at least 16 bytes out.
    typealias Digest = @Sendable ([UInt8]) -> [UInt8]

    /// Names that are kept apart; beyond, names are long enough not to meet.
    private static let nameLimit = 50_000
    /// A shorter secret is masked only where its name says what it is: it would be found in innocent words.
    private static let leastKnownBytes = 8

    /// A secret, and what stands in its place.
    private struct Known {
        let secret: [UInt8]
        let name: [UInt8]
    }

    private let digest: Digest
    /// Secrets that are recognised where nothing names them; each is held.
    private let knownLimit: Int
    /// The placeholder of each secret by its digest.
    private var names: [[UInt8]: String] = [:]
    private var taken: Set<String> = []
    /// Secrets by their first eight bytes, those with the same ones in the order of their bytes.
    private var known: [UInt64: [Known]] = [:]
    /// How many secrets are recognised wherever they stand.
    private(set) var knownCount = 0
    /// Whether there were more secrets than are recognised wherever they stand.
    private(set) var isFull = false

    init(knownLimit: Int, digest: @escaping Digest) { (self.knownLimit, self.digest) = (knownLimit, digest) }

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
        guard secret.count >= SecretVault.leastKnownBytes, Set(secret).count > 3 else { return }
        let start = SecretVault.start(secret[...])
        let place = SecretVault.countNotAfter(secret, 0..<secret.count, in: known[start] ?? [])
        if place > 0, known[start]?[place - 1].secret == secret { return }
        guard knownCount < knownLimit else {
            isFull = true
            return
        }
        known[start, default: []].insert(Known(secret: secret, name: name), at: place)
        knownCount += 1
    }

    /// Whether these bytes are a placeholder that was given out, with digits that are kept.
    func isName(_ bytes: [UInt8]) -> Bool {
        guard bytes.first == UInt8(ascii: "<"), bytes.last == UInt8(ascii: ">"), bytes.count < 48,
            let colon = bytes.firstIndex(of: ASCII.colon)
        else { return false }
        return taken.contains(String(decoding: bytes[(colon + 1)...].dropLast(), as: UTF8.self))
    }

    /// Where remembered secrets stand in a text, the longest at each place, none overlapping another.
    func occurrences(in bytes: [UInt8]) -> [(range: Range<Int>, name: [UInt8])] {
        guard !known.isEmpty, bytes.count >= SecretVault.leastKnownBytes else { return [] }
        var found: [(range: Range<Int>, name: [UInt8])] = []
        var index = 0
        var start = SecretVault.start(bytes[...])
        while index + 8 <= bytes.count {
            if let candidates = known[start], let hit = SecretVault.longest(candidates, bytes, index) {
                found.append((index..<index + hit.secret.count, hit.name))
                index += hit.secret.count
                start = SecretVault.start(bytes[index...])
                continue
            }
            index += 1
            if index + 8 <= bytes.count { start = start << 8 | UInt64(bytes[index + 7]) }
        }
        return found
    }

    private static func start(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: order

    /// The longest of some secrets that a text has at an index.
    ///
    /// Every secret that the text begins with begins the last one in order that does not come after the text, too; so what these two do not share needs no
    /// look, and the search is as long as the logarithm of how many there are, whatever they have in common.
    private static func longest(_ candidates: [Known], _ bytes: [UInt8], _ index: Int) -> Known? {
        var end = bytes.count
        while true {
            let place = countNotAfter(bytes, index..<end, in: candidates)
            guard place > 0 else { return nil }
            let candidate = candidates[place - 1]
            let shared = sharedCount(candidate.secret, bytes, index..<end)
            if shared == candidate.secret.count { return candidate }
            guard shared >= leastKnownBytes else { return nil }
            end = index + shared
        }
    }

    /// How many of some secrets in order do not come after a part of a text.
    private static func countNotAfter(_ bytes: [UInt8], _ part: Range<Int>, in ordered: [Known]) -> Int {
        var (low, high) = (0, ordered.count)
        while low < high {
            let middle = (low + high) / 2
            let secret = ordered[middle].secret
            let shared = sharedCount(secret, bytes, part)
            let isAfter =
                shared < secret.count
                && (shared == part.count || secret[shared] > bytes[part.lowerBound + shared])
            if isAfter { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// How many bytes a secret and a part of a text have in common from their beginnings.
    private static func sharedCount(_ secret: [UInt8], _ bytes: [UInt8], _ part: Range<Int>) -> Int {
        let limit = min(secret.count, part.count)
        var count = 0
        while count < limit, secret[count] == bytes[part.lowerBound + count] { count += 1 }
        return count
    }
}
