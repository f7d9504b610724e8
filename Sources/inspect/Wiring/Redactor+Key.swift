import Crypto
import Foundation
import Traffic

extension Redactor {
    /// What masks secrets under a key that is made for it and forgotten with it.
    ///
    /// - Parameter patterns: what else to mask.
    /// - Returns: a redactor for one export.
    static func forgetful(patterns: [NSRegularExpression] = []) -> Redactor {
        let key = SymmetricKey(size: .bits256)
        return Redactor(patterns: patterns) { secret in
            Array(HMAC<SHA256>.authenticationCode(for: secret, using: key))
        }
    }
}
