/// What a secret is called in its placeholder, and which names are those of secrets.
package enum SecretKind: String, Hashable, Sendable, CaseIterable {
    case password, cookie, session, key, signature, token, user, secret, pattern

    /// Parts of names, in lower case without separators, that say what a value is; the first that fits counts.
    private static let parts: [(part: String, kind: SecretKind)] = [
        ("password", .password), ("passwd", .password), ("passphrase", .password), ("passcode", .password),
        ("pwd", .password), ("cookie", .cookie), ("sessionid", .session), ("sessid", .session),
        ("sessiontoken", .session), ("sessionkey", .session), ("apikey", .key), ("accesskey", .key),
        ("secretkey", .key), ("privatekey", .key), ("subscriptionkey", .key), ("encryptionkey", .key),
        ("accountkey", .key), ("authkey", .key), ("signingkey", .key), ("sharedkey", .key), ("clientkey", .key),
        ("signature", .signature), ("authorization", .token), ("authentication", .token), ("xauth", .token),
        ("jwt", .token), ("bearer", .token), ("token", .token), ("clientassertion", .token), ("samlresponse", .token),
        ("samlrequest", .token), ("codeverifier", .token), ("csrf", .token), ("xsrf", .token), ("credential", .secret),
        ("secret", .secret),
    ]
    /// Whole names.
    private static let names: [String: SecretKind] = [
        "pass": .password, "pw": .password, "pin": .password, "otp": .password, "totp": .password, "mfacode": .password,
        "sid": .session, "session": .session, "key": .key, "sig": .signature, "hmac": .signature, "auth": .token,
        "cvv": .secret, "cvc": .secret, "ssn": .secret, "cardnumber": .secret, "userinfo": .user,
    ]
    /// Ends of names that speak about a secret and are none.
    private static let harmless = [
        "type", "count", "expires", "expiresin", "expiresat", "expiry", "length", "limit", "url", "uri", "endpoint",
        "algorithm", "policy", "hint", "required", "enabled", "valid",
    ]

    /// The kind of the value under a name: a field's, a parameter's, a JSON key's; `nil` where it is no secret.
    package init?(name: some Sequence<UInt8>) {
        let word = String(
            decoding: name.lazy.map(ASCII.lower).filter {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 >= 0x80
            },
            as: UTF8.self
        )
        if let kind = SecretKind.names[word] {
            self = kind
            return
        }
        guard word.utf8.count <= 128, let found = SecretKind.parts.first(where: { word.contains($0.part) }),
            !SecretKind.harmless.contains(where: { word.hasSuffix($0) })
        else { return nil }
        self = found.kind
    }
}
