/// The sessions of people who are signed in by a cookie, as Django's admin does it.
actor LoginSessions {
    /// Sessions kept at once; beyond, the oldest ends.
    static let limitCount = 256

    private var users: [(token: String, user: Credentials)] = []

    /// Begins a session and returns its token.
    func open(for user: Credentials) -> String {
        let token = Self.token()
        users = (users + [(token, user)]).suffix(Self.limitCount)
        return token
    }

    /// The account of a token's session; nil for an unknown token.
    func user(of token: String?) -> Credentials? {
        guard let token else { return nil }
        return users.last { $0.token == token }?.user
    }

    /// 32 letters and digits that nobody can guess.
    static func token() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<32).compactMap { _ in letters.randomElement() })
    }
}
