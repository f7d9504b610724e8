import Foundation
import Traffic
import Web

/// A file that keeps the page's token from one start to the next, for programs that ask for it there.
struct TokenFile {
    /// The least that opens the page: 128 bits in hexadecimal.
    private static let leastLength = 32

    let path: String

    /// A token that nobody has.
    static func fresh() -> String { WebConfiguration.randomToken() }

    /// The token that is in the file; a new one, where there is no file yet.
    ///
    /// A link is followed, as those are by which secrets come into containers. A group may read it.
    ///
    /// - Throws: `InputError` when it cannot be read or made, holds no token, belongs to another user, or is open to others.
    func token(user: uid_t = geteuid()) throws -> String {
        guard let bytes = try OwnFile(path, followsLinks: true).read(others: .groupMayRead, user: user) else {
            return try make()
        }
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let isPlain = token.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"&=#%+;,\"".utf8.contains($0) }
        guard token.utf8.count >= Self.leastLength, isPlain else {
            throw InputError(
                "--web-token-file \(path) holds no token of at least \(Self.leastLength) letters and digits; remove it, and the next start makes one"
            )
        }
        return token
    }

    private func make() throws -> String {
        let token = Self.fresh()
        let file = try OutputFile(path)
        try file.write(Array("\(token)\n".utf8))
        try file.finish()
        return token
    }
}
