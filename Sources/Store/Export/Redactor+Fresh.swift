import Crypto
package import Foundation
package import Traffic

extension Redactor {
    /// A redactor whose placeholders mean something within one export only: their key is made here and forgotten with it.
    package static func fresh(patterns: [NSRegularExpression] = []) -> Redactor {
        let key = SymmetricKey(size: .bits256)
        return Redactor(patterns: patterns) { secret in
            Array(HMAC<SHA256>.authenticationCode(for: secret, using: key))
        }
    }
}
