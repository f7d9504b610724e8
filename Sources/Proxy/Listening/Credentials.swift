import Crypto
import Foundation
import Traffic

/// A user and a password, for a listener of ours or an upstream proxy.
package struct Credentials: Hashable, Sendable {
    /// Bytes of the longest user and of the longest password (RFC 1929 §2).
    package static let limitBytes = 255

    package let user: String
    package let password: String

    /// Reads `user:password`; `nil` without a colon, without a user, or when a part is too long.
    package init?(_ text: some StringProtocol) {
        guard let colon = text.utf8.firstIndex(of: ASCII.colon) else { return nil }
        self.init(user: String(text[..<colon]), password: String(text[text.utf8.index(after: colon)...]))
    }

    /// - Returns: `nil` when there is no user, or a part is too long.
    package init?(user: String, password: String) {
        guard !user.isEmpty, !user.utf8.contains(ASCII.colon), user.utf8.count <= Credentials.limitBytes,
            password.utf8.count <= Credentials.limitBytes
        else { return nil }
        self.user = user
        self.password = password
    }

    /// The value of a Proxy-Authorization field with these credentials (RFC 7617 §2).
    var basic: String { "Basic " + Data("\(user):\(password)".utf8).base64EncodedString() }

    /// Whether these bytes are the user and the password; the time it takes does not tell how many of them are right.
    func match(user: some Collection<UInt8>, password: some Collection<UInt8>) -> Bool {
        let isUser = Credentials.digest(Array(user)) == Credentials.digest(Array(self.user.utf8))
        let isPassword = Credentials.digest(Array(password)) == Credentials.digest(Array(self.password.utf8))
        return isUser && isPassword
    }

    /// Whether a Proxy-Authorization field has these credentials; the scheme's name ignores case (RFC 9110 §11.1).
    func match(authorization: String) -> Bool {
        let parts = authorization.utf8.split(separator: ASCII.space, maxSplits: 1).map { Substring($0) }
        guard parts.count == 2, ASCII.isSame(parts[0], "basic"),
            let decoded = Data(base64Encoded: parts[1].trimmingCharacters(in: .whitespaces)),
            let colon = decoded.firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        return match(user: decoded[..<colon], password: decoded[(colon + 1)...])
    }

    /// Compares digests, which takes the same time whatever the lengths of the texts.
    private static func digest(_ bytes: [UInt8]) -> SHA256.Digest { SHA256.hash(data: bytes) }
}
