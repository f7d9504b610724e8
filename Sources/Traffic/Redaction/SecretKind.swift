/// The kinds of secrets, as placeholders name them, and the names that stand for secrets.
package enum SecretKind: String, Hashable, Sendable, CaseIterable {
    case password, cookie, session, key, signature, token, user, secret, pattern

    /// Parts of names, in lower case without separators, that tell the kind of the value; the first that fits counts.
    private static let parts: [(part: String, kind: SecretKind)] = [
        ("password", .password), ("passwd", .password), ("passphrase", .password), ("passcode", .password),
        ("pwd", .password), ("cookie", .cookie), ("sessionid", .session), ("sessid", .session),
        ("sessiontoken", .session), ("sessionkey", .session), ("apikey", .key), ("accesskey", .key),
        ("secretkey", .key), ("privatekey", .key), ("subscriptionkey", .key), ("encryptionkey", .key),
        ("accountkey", .key), ("authkey", .key), ("signingkey", .key), ("sharedkey", .key), ("clientkey", .key),
        ("functionskey", .key), ("appkey", .key), ("applicationkey", .key), ("consumerkey", .key), ("fastlykey", .key),
        ("masterkey", .key), ("licensekey", .key), ("keyid", .key), ("hmackey", .key), ("serverkey", .key),
        ("streamkey", .key), ("sshkey", .key), ("deploykey", .key), ("privkey", .key), ("rsaprivate", .key),
        ("signature", .signature), ("authorization", .token), ("authentication", .token), ("xauth", .token),
        ("jwt", .token), ("bearer", .token), ("token", .token), ("clientassertion", .token), ("samlresponse", .token),
        ("samlrequest", .token), ("codeverifier", .token), ("oauthverifier", .token), ("authcode", .token),
        ("verificationcode", .password), ("recoverycode", .password), ("onetimecode", .password), ("csrf", .token),
        ("xsrf", .token), ("credential", .secret),
        ("secret", .secret), ("pswd", .password), ("passwort", .password), ("kennwort", .password),
        ("wachtwoord", .password), ("contrasena", .password), ("contraseña", .password), ("motdepasse", .password),
    ]
    /// Whole names.
    private static let names = table([
        "pass": .password, "pw": .password, "pin": .password, "otp": .password, "totp": .password, "mfacode": .password,
        "otpcode": .password, "logincode": .password, "smscode": .password, "senha": .password, "dbpass": .password,
        "userpass": .password, "smtppass": .password, "newpass": .password, "oldpass": .password,
        "sid": .session, "session": .session, "sig": .signature, "hmac": .signature, "auth": .token,
        "assertion": .token, "xwsse": .token,
        "devicecode": .token, "passkey": .key, "psk": .key, "tlskey": .key, "sslkey": .key,
        "cvv": .secret, "cvc": .secret, "ssn": .secret, "cardnumber": .secret, "userinfo": .user,
    ])
    /// Whole names that stand for secrets and for much else: the code of OAuth is a secret, the code of an error is not.
    private static let doubtful = table([
        "code": .token, "ticket": .token, "key": .key, "sign": .signature, "storagekey": .key,
    ])
    /// Whole names of objects that hold much else besides secrets, such as when a session began, or how to log in.
    private static let broad = Set(
        ["session", "auth", "authentication", "authorization"].map { Array($0.utf8) }
    )
    /// Words that say of the `pass` behind them that it is a password; long ones do at the end of a word too, as in `testuser_pass`.
    private static let logins = [
        "db", "database", "sql", "pg", "postgres", "redis", "mongo", "mq", "amqp", "rabbit", "ldap", "user", "usr",
        "admin", "root", "login", "account", "acct", "auth", "basic", "smtp", "mail", "imap", "pop", "pop3", "ftp",
        "ssh", "vpn", "wifi", "wlan", "proxy", "http", "https", "api", "app", "web", "site", "server", "client",
        "host", "service", "svc", "key", "keystore", "store", "cert", "pem", "ca", "my", "new", "old", "current",
        "confirm", "repeat", "temp", "initial", "default", "master", "sudo", "secret", "crypt",
    ].map { Array($0.utf8) }
    /// Ends of names whose values tell about a secret and are no secrets.
    private static let harmless = [
        "type", "count", "expires", "expiresin", "expiresat", "expiry", "length", "limit", "url", "uri", "endpoint",
        "algorithm", "alg", "policy", "hint", "required", "enabled", "valid", "supported", "method", "lifetime",
        "expiration",
    ].map { Array($0.utf8) }
    /// The parts by their first letter, each with its place among all parts, so that a name is read once only.
    private static let partsByLetter: [[(place: Int, part: [UInt8])]] = {
        var table = [[(place: Int, part: [UInt8])]](repeating: [], count: 256)
        for (place, entry) in parts.enumerated() {
            table[Int(entry.part.utf8.first ?? 0)].append((place, Array(entry.part.utf8)))
        }
        return table
    }()
    /// Texts that stand for no value, or for yes or no.
    private static let nothings = Set(
        ["null", "true", "false", "undefined", "none", "nil", "nan"].map { Array($0.utf8) }
    )

    /// Schemes of credentials (RFC 9110 §11.1) that stand before them in a text.
    private static let schemes = Set(
        ["basic", "bearer", "digest", "negotiate", "ntlm", "token", "aws4-hmac-sha256"].map { Array($0.utf8) }
    )

    /// Bytes of a name that count, its last ones.
    static let nameLimit = 256
    /// Bytes of a value under a doubtful name that are looked at.
    static let madeLimit = 4_096

    /// The kind of the value under a name: a field's, a parameter's, a JSON key's; `nil` where it is no secret.
    package init?(name: some Sequence<UInt8>) {
        let word = SecretKind.word(name)
        if let kind = SecretKind.names[word] ?? (SecretKind.isLoginPass(name) ? .password : nil) {
            self = kind
            return
        }
        guard let kind = SecretKind.part(of: word),
            !SecretKind.harmless.contains(where: { word.suffix($0.count).elementsEqual($0) })
        else { return nil }
        self = kind
    }

    /// The kind of the value under a name that may stand for a secret or for something else.
    ///
    /// The value of such a name is a secret where `isMade` says so.
    package init?(doubtful name: some Sequence<UInt8>) {
        let pass = SecretKind.endsInPass(name) ? SecretKind.password : nil
        guard let kind = SecretKind.doubtful[SecretKind.word(name)] ?? pass else { return nil }
        self = kind
    }

    /// Whether an object under a name may hold much else besides secrets.
    static func isBroad(_ name: some Sequence<UInt8>) -> Bool { broad.contains(word(name)) }

    /// Whether a value under a doubtful name is a secret: in a query nearly every value, elsewhere one that nobody would write by hand.
    package static func isMade(_ value: some Collection<UInt8>, inQuery: Bool) -> Bool {
        if inQuery { return value.count >= 4 }
        return (16...madeLimit).contains(value.count) && !value.contains(where: ASCII.isBlank)
            && value.contains { (0x30...0x39).contains($0) }
    }

    /// Whether a value under the doubtful name of a key is the path of an object in a store, since base64 with a slash has none of the other marks.
    static func isPath(_ value: some Collection<UInt8>) -> Bool {
        value.contains(UInt8(ascii: "/")) && value.contains { "._-".utf8.contains($0) }
    }

    /// Whether a value says that there is none, or only yes or no.
    static func isNothing(_ value: some Collection<UInt8>) -> Bool {
        value.count <= 9 && nothings.contains(value.map(ASCII.lower))
    }

    /// Whether a word is a scheme of credentials, in any case.
    static func isScheme(_ word: some Collection<UInt8>) -> Bool {
        word.count <= 16 && schemes.contains(word.map(ASCII.lower))
    }

    /// Whether a value may be a common word, or a name in programs such as `componentDidMount` or `same-origin`.
    ///
    /// Such a value is masked only where a name calls it a secret: elsewhere a text without its words would say nothing. Words have no digits, and
    /// few capitals after the first letter.
    static func isWord(_ value: some Collection<UInt8>) -> Bool {
        var (letters, humps, capitals) = (0, 1, 0)
        var last: UInt8 = 0
        for byte in value {
            switch byte {
            case 0x61...0x7A:
                letters += 1
                // The last capital of several begins the next word, as in HTTPServer.
                if capitals > 1 { humps += 1 }
                capitals = 0
            case 0x41...0x5A:
                letters += 1
                capitals += 1
                if (0x61...0x7A).contains(last) { humps += 1 }
            case ASCII.space, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"): break
            default: return false
            }
            last = byte
        }
        return letters >= humps * 4
    }

    /// A name in lower case without separators.
    private static func word(_ name: some Sequence<UInt8>) -> [UInt8] {
        var word: [UInt8] = []
        for byte in name {
            let lower = ASCII.lower(byte)
            if (0x61...0x7A).contains(lower) || (0x30...0x39).contains(lower) || lower >= 0x80 { word.append(lower) }
        }
        return word.count > nameLimit ? Array(word.suffix(nameLimit)) : word
    }

    /// Whether the last word of a name is `pass`, as in `db_pass`, `db[pass]` and `dbPass`; `bypass` and `compass` are words of their own.
    private static func endsInPass(_ name: some Sequence<UInt8>) -> Bool {
        let last = name.suffix(6)
        let end = Array((last.last == UInt8(ascii: "]") ? last.dropLast() : last[...]).suffix(5))
        guard end.count == 5, end.dropFirst().map(ASCII.lower).elementsEqual("pass".utf8) else { return false }
        return "_-.[ ".utf8.contains(end[0]) || end[1] == UInt8(ascii: "P") && (0x61...0x7A).contains(end[0])
    }

    /// Whether a name ends in `pass` and means a password: that of a login, a field of a form, or a variable of an environment.
    ///
    /// Elsewhere the word may count tests, or name a step of a program: `num_pass`, `render_pass`.
    private static func isLoginPass(_ name: some Sequence<UInt8>) -> Bool {
        guard endsInPass(name) else { return false }
        let name = Array(name)
        if name.last == UInt8(ascii: "]") || !name.contains(where: { (0x61...0x7A).contains($0) }) { return true }
        let words = name.dropLast(4).split { "_-.[] ".utf8.contains($0) }.map { $0.map(ASCII.lower) }
        return words.contains { word in
            word.suffix(2).elementsEqual("db".utf8)
                || logins.contains { word == $0 || $0.count > 3 && word.suffix($0.count).elementsEqual($0) }
        }
    }

    /// The kind of the first of all parts that a name has.
    private static func part(of word: [UInt8]) -> SecretKind? {
        var first = parts.count
        for index in word.indices {
            for (place, part) in partsByLetter[Int(word[index])]
            where place < first && word[index...].starts(with: part) {
                first = place
            }
        }
        return first < parts.count ? parts[first].kind : nil
    }

    private static func table(_ kinds: [String: SecretKind]) -> [[UInt8]: SecretKind] {
        Dictionary(uniqueKeysWithValues: kinds.map { (Array($0.utf8), $1) })
    }
}
