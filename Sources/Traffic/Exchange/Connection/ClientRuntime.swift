/// The kind of program that a client is, as far as it shows; it decides how the program comes to trust a root.
package enum ClientRuntime: String, Hashable, Sendable, CaseIterable {
    case curl, wget, git, python, node, deno, java, go, rust, ruby, php, dotnet, chromium, firefox, android, apple
    /// A tool on OpenSSL or GnuTLS, of which there are many.
    case openssl, gnutls

    /// Its name in a sentence.
    package var title: String {
        switch self {
        case .curl: "curl"
        case .wget: "wget"
        case .git: "git"
        case .python: "a Python program"
        case .node: "a Node program"
        case .deno: "a Deno program"
        case .java: "a Java program"
        case .go: "a Go program"
        case .rust: "a Rust program"
        case .ruby: "a Ruby program"
        case .php: "a PHP program"
        case .dotnet: "a .NET program"
        case .chromium: "Chromium or a browser like it"
        case .firefox: "Firefox"
        case .android: "an Android app"
        case .apple: "an app of Apple's systems"
        case .openssl: "a program on OpenSSL"
        case .gnutls: "a program on GnuTLS"
        }
    }

    /// Whether only the program's TLS library is known, and not its kind.
    package var isLibrary: Bool { self == .openssl || self == .gnutls }

    /// The kind of a program, by the User-Agent of its requests (RFC 9110 §10.1.5).
    package init?(userAgent: String) {
        let text = userAgent.lowercased()
        let marks: [(String, ClientRuntime)] = [
            ("okhttp", .android), ("dalvik", .android), ("cfnetwork", .apple), ("curl/", .curl), ("wget", .wget),
            ("git/", .git), ("python", .python), ("aiohttp", .python), ("httpx", .python), ("node", .node),
            ("undici", .node), ("deno", .deno), ("go-http-client", .go), ("java", .java), ("apache-httpclient", .java),
            ("reqwest", .rust), ("hyper", .rust), ("cargo", .rust), ("ruby", .ruby), ("faraday", .ruby),
            ("guzzle", .php), ("php", .php), (".net", .dotnet), ("firefox/", .firefox), ("chrome/", .chromium),
            ("chromium", .chromium), ("safari/", .apple),
        ]
        guard let found = marks.first(where: { text.contains($0.0) }) else { return nil }
        self = found.1
    }

    /// The kind of a program of this machine, by its name or the name of its executable.
    package init?(process: LocalProcess) {
        for name in [process.name, process.executable ?? ""] {
            if let runtime = ClientRuntime(program: name.lowercased()) {
                self = runtime
                return
            }
        }
        return nil
    }

    private init?(program: String) {
        let starts: [(String, ClientRuntime)] = [
            ("curl", .curl), ("wget", .wget), ("git", .git), ("python", .python), ("pypy", .python), ("node", .node),
            ("npm", .node), ("deno", .deno), ("java", .java), ("ruby", .ruby), ("php", .php), ("dotnet", .dotnet),
            ("chrom", .chromium), ("msedge", .chromium), ("brave", .chromium), ("electron", .chromium),
            ("google-chrome", .chromium), ("firefox", .firefox), ("cargo", .rust),
        ]
        guard let found = starts.first(where: { program.hasPrefix($0.0) }) else { return nil }
        self = found.1
    }

    /// The kind of a client, by what tells most: its program, then its User-Agent, then its ClientHello.
    ///
    /// - Parameters:
    ///   - process: its program, where that runs on this machine.
    ///   - userAgent: the User-Agent field of its request.
    ///   - hello: the kind that its ClientHello points to.
    /// - Returns: the kind; `nil` where nothing tells it.
    package static func of(
        process: LocalProcess?,
        userAgent: String?,
        hello: ClientRuntime?
    ) -> ClientRuntime? {
        process.flatMap(ClientRuntime.init(process:)) ?? userAgent.flatMap(ClientRuntime.init(userAgent:)) ?? hello
    }
}
