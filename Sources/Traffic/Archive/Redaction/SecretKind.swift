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
        ("functionskey", .key), ("appkey", .key), ("applicationkey", .key), ("consumerkey", .key), ("fastlykey", .key),
        ("masterkey", .key), ("licensekey", .key), ("keyid", .key),
        ("signature", .signature), ("authorization", .token), ("authentication", .token), ("xauth", .token),
        ("jwt", .token), ("bearer", .token), ("token", .token), ("clientassertion", .token), ("samlresponse", .token),
        ("samlrequest", .token), ("codeverifier", .token), ("oauthverifier", .token), ("authcode", .token),
        ("verificationcode", .password), ("recoverycode", .password), ("onetimecode", .password), ("csrf", .token),
        ("xsrf", .token), ("credential", .secret),
        ("secret", .secret),
    ]
    /// Whole names.
    private static let names: [String: SecretKind] = [
        "pass": .password, "pw": .password, "pin": .password, "otp": .password, "totp": .password, "mfacode": .password,
        "sid": .session, "session": .session, "key": .key, "sig": .signature, "hmac": .signature, "auth": .token,
        "assertion": .token, "xwsse": .token,
        "cvv": .secret, "cvc": .secret, "ssn": .secret, "cardnumber": .secret, "userinfo": .user,
    ]
    /// Whole names that stand for secrets and for much else: an OAuth code is a secret, that of an error is none.
    private static let doubtful: [String: SecretKind] = ["code": .token, "ticket": .token]
    /// Ends of names that speak about a secret and are none.
    private static let harmless = [
        "type", "count", "expires", "expiresin", "expiresat", "expiry", "length", "limit", "url", "uri", "endpoint",
        "algorithm", "policy", "hint", "required", "enabled", "valid",
    ]

    /// The kind of the value under a name: a field's, a parameter's, a JSON key's; `nil` where it is no secret.
    package init?(name: some Sequence<UInt8>) {
        let word = SecretKind.word(name)
        if let kind = SecretKind.names[word] {
            self = kind
            return
        }
        guard word.utf8.count <= 128, let found = SecretKind.parts.first(where: { word.contains($0.part) }),
            !SecretKind.harmless.contains(where: { word.hasSuffix($0) })
        else { return nil }
        self = found.kind
    }

    /// The kind of the value under a name that may stand for a secret or for something else.
    ///
    /// What such a name holds is a secret where `isMade` says so of its value.
    init?(doubtful name: some Sequence<UInt8>) {
        guard let kind = SecretKind.doubtful[SecretKind.word(name)] else { return nil }
        self = kind
    }

    /// Whether a value under a doubtful name is a secret: in a query nearly any is, elsewhere what nobody would write by hand.
    static func isMade(_ value: some Collection<UInt8>, inQuery: Bool) -> Bool {
        if inQuery { return value.count >= 4 }
        return value.count >= 16 && !value.contains(where: ASCII.isBlank)
            && value.contains { (0x30...0x39).contains($0) }
    }

    /// A name in lower case without separators.
    private static func word(_ name: some Sequence<UInt8>) -> String {
        String(
            decoding: name.lazy.map(ASCII.lower).filter {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 >= 0x80
            },
            as: UTF8.self
        )
    }
}
