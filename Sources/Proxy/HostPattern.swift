import Traffic

/// Names hosts: a name or an address, in which `*` stands for anything, dots too.
package struct HostPattern: Hashable, Sendable, CustomStringConvertible {
    /// In lower case, IPv6 without brackets.
    package let description: String
    private let bytes: [UInt8]

    /// Reads a pattern; `nil` when no host could match it.
    package init?(_ text: String) {
        let lower = ASCII.lower(text)
        let bare = lower.hasPrefix("[") && lower.hasSuffix("]") ? String(lower.dropFirst().dropLast()) : lower
        let isPattern = bare.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "*"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        // Only an IPv6 address has colons; a single one separates a port, which has no place here.
        guard !bare.isEmpty, isPattern, bare.utf8.count(where: { $0 == UInt8(ascii: ":") }) != 1 else { return nil }
        description = bare
        bytes = Array(bare.utf8)
    }

    /// Whether the pattern names a host; the root's dot at the end of a name does not count (RFC 1034 §3.1).
    package func matches(_ host: String) -> Bool {
        matches(HostPattern.bytes(of: host))
    }

    /// A host in the form that patterns are compared with.
    static func bytes(of host: String) -> [UInt8] {
        var bytes = host.utf8.map(ASCII.lower)
        if bytes.count > 1, bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        return bytes
    }

    /// Whether the pattern matches a host's bytes; the last byte tells most hosts apart.
    func matches(_ host: [UInt8]) -> Bool {
        if let last = bytes.last, last != UInt8(ascii: "*"), last != host.last { return false }
        return HostPattern.matches(bytes[...], host[...])
    }

    /// Steps back to the last star only, so the work is bounded by the product of the lengths.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var (at, position) = (pattern.startIndex, text.startIndex)
        var star: (pattern: Int, text: Int)?
        while position < text.endIndex {
            if at < pattern.endIndex, pattern[at] == UInt8(ascii: "*") {
                star = (at, position)
                at += 1
            } else if at < pattern.endIndex, pattern[at] == text[position] {
                at += 1
                position += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                (at, position) = (last.pattern + 1, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// Apple's hosts, whose clients pin certificates: "Apple services will fail any connection that uses HTTPS Interception"
    /// (Use Apple products on enterprise networks, support.apple.com/101555).
    ///
    /// CloudKit's web services (`api.apple-cloudkit.com`) are not on the list: they serve other developers' apps, which do not pin.
    package static let pinned = [
        "*.apple.com", "*.icloud.com", "*.icloud-content.com", "*.cdn-apple.com", "*.mzstatic.com",
    ].compactMap { HostPattern($0) }
}
