/// What a TLS handshake that failed means, and the one command that mends it.
package struct TLSRemedy: Hashable, Sendable {
    /// What it means, one sentence or two.
    package var explanation: String
    /// A line for a shell; `nil` where nothing that can be typed helps.
    package var command: String?
    /// The host that can be passed through unread, where that is a way out; the client and the upstream then settle it between themselves.
    package var passThrough: String?

    /// The explanation with the command, as the end of a message.
    package var text: String { command.map { "\(explanation) To mend it: \($0)" } ?? explanation }

    /// What is known of an exchange that failed in a handshake; `nil` for any other.
    package init?(_ exchange: Exchange) {
        guard let failure = exchange.failure else { return nil }
        self.init(failure, host: exchange.host, port: exchange.port, client: Client(of: exchange))
    }

    /// Who could not shake hands with us.
    package struct Client: Hashable, Sendable {
        var runtime: ClientRuntime?
        package var process: LocalProcess?
        /// The address it comes from.
        var address: String
        /// Whether its TLS library looks at certificates only after the handshake.
        var judgesLate = false

        package init(runtime: ClientRuntime?, process: LocalProcess?, address: String) {
            self.runtime = runtime
            self.process = process
            self.address = address
        }

        /// Who sent an exchange.
        package init(of exchange: Exchange) {
            runtime = ClientRuntime.of(
                process: exchange.client.process,
                userAgent: exchange.request.fields.first("User-Agent"),
                hello: exchange.client.runtime
            )
            process = exchange.client.process
            address = exchange.client.address
            judgesLate = exchange.client.runtime == .gnutls
        }

        /// Whether it is on another machine.
        var isElsewhere: Bool {
            process == nil && !address.isEmpty && !address.hasPrefix("127.") && !address.hasPrefix("[::1]")
        }

        /// How a sentence begins with it.
        package var title: String {
            if let process { return process.text }
            let title = runtime?.title ?? "the client"
            return title.contains(" ") ? title.prefix(1).uppercased() + title.dropFirst() : title
        }
    }

    /// - Parameters:
    ///   - failure: what failed.
    ///   - host: the upstream's name, which may be anything that a client sends.
    ///   - port: the upstream's.
    ///   - client: whose handshake it was.
    package init?(_ failure: ExchangeFailure, host: String, port: Int, client: Client) {
        guard failure.phase == .tls, failure.cause != .timeout else { return nil }
        let word = ShellWord(host).description
        switch failure.side {
        case .client: self.init(client, failure.cause, host: host, word: word, port: port)
        case .upstream: self.init(upstream: failure.cause, message: failure.message, host: host, word: word, port: port)
        case .proxy: return nil
        }
    }

    private init(_ explanation: String, _ command: String?, passThrough: String? = nil) {
        self.explanation = explanation
        self.command = command
        self.passThrough = passThrough
    }

    // MARK: The client's side

    private init?(_ client: Client, _ cause: Cause, host: String, word: String, port: Int) {
        let trust = TLSRemedy.trust(client, host: host, port: port)
        let pass = "inspect pass-through \(word)"
        switch cause {
        case .unknownCA:
            self.init("It does not know the root that signed our certificate.", trust, passThrough: host)
        case .badCertificate, .certificateUnknown, .unsupportedCertificate, .closed, .accessDenied:
            self.init(
                "It does not trust our root, or takes only the host's own certificate (pinning) or another name; once it trusts the root and still refuses, pass the host through.",
                trust,
                passThrough: host
            )
        case .pinned:
            self.init(
                "It has taken our certificates for other hosts, so it trusts our root and takes only this host's own certificate (pinning).",
                pass,
                passThrough: host
            )
        case .left where client.judgesLate:
            self.init(
                "It looks at certificates after the handshake, does not trust our root, or takes only the host's own certificate (pinning).",
                trust,
                passThrough: host
            )
        case .left:
            self.init(
                "It took our certificate and left without a request, as programs do that compare it with one they know (pinning).",
                pass,
                passThrough: host
            )
        case .certificateExpired, .certificateRevoked:
            self.init("Our certificates are a few days old at most: its clock is wrong.", "inspect doctor")
        case .protocolVersion:
            self.init(
                "It speaks no version of TLS from 1.2 on; passed through, it may settle an older one with the host.",
                pass,
                passThrough: host
            )
        case .noSharedCipher, .handshakeFailure, .insufficientSecurity:
            self.init(
                "It and we have no cipher suite in common; passed through, it may have one with the host.",
                pass,
                passThrough: host
            )
        case .noApplicationProtocol:
            self.init(
                "It and we speak no protocol in common; passed through, it and the host settle what they speak.",
                pass,
                passThrough: host
            )
        case .noCommonProtocol:
            self.init(
                "It would fail without a proxy too; translated, it speaks HTTP/2 and its upstream HTTP/1.1.",
                "inspect start --no-match-protocols"
            )
        case .certificateRequired: return nil
        default:
            self.init("It and we could not agree on how to speak TLS.", pass, passThrough: host)
        }
    }

    /// How a client comes to trust the root, with as much of its command as is known.
    private static func trust(_ client: Client, host: String, port: Int) -> String {
        if client.isElsewhere { return "inspect ca guide" }
        let name = authority(host, port)
        let program = client.process.map { ShellWord($0.name).description }
        func run(_ usual: String) -> String { "inspect run -- \(program ?? usual) …" }
        switch client.runtime {
        case .curl, .wget:
            let usual = client.runtime?.rawValue ?? "curl"
            return "inspect run -- \(program ?? usual) \(ShellWord("https://\(name)/"))"
        case .chromium: return "inspect browser chromium"
        case .firefox: return "inspect browser firefox"
        case .android: return "inspect ca guide"
        case .apple: return "inspect ca install --system"
        case .python: return run("python3")
        case .node: return run("node")
        case .java: return run("java")
        case .git: return run("git")
        case .deno: return run("deno")
        case .ruby: return run("ruby")
        case .php: return run("php")
        case .dotnet: return run("dotnet")
        case .go, .rust, .openssl, .gnutls, nil: return run("COMMAND")
        }
    }

    /// A host as people name it for TLS: with its port unless that is 443.
    private static func authority(_ host: String, _ port: Int) -> String {
        port == 443 ? Endpoint.bracketed(host) : "\(Endpoint.bracketed(host)):\(port)"
    }

    // MARK: The upstream's side

    private init?(upstream cause: Cause, message: String, host: String, word: String, port: Int) {
        let look = "inspect tls \(ShellWord(TLSRemedy.authority(host, port)))"
        switch cause {
        case .certificateExpired, .certificateNotYetValid:
            self.init(
                "Its owner has to renew it; where it is your own test server, any certificate can be accepted for one run.",
                "inspect start --insecure-upstream"
            )
        case .certificateSelfSigned, .certificateUnknownIssuer:
            self.init(
                "Where the server is yours, trust its issuer: a PEM file with the root that signed it.",
                "inspect start --upstream-ca FILE"
            )
        case .certificateName:
            self.init("It is for other names, which the chain below lists: ask for one of them.", look)
        case .certificateWeak:
            self.init(
                "Browsers refuse it too. Where it is your own test server, any certificate can be accepted for one run.",
                "inspect start --insecure-upstream"
            )
        case .certificateMustStaple:
            self.init(
                "Passed through, the client judges it itself.",
                "inspect pass-through \(word)",
                passThrough: host
            )
        case .ownRoot: self.init("Another inspect with the same root stands between us and the host.", nil)
        case .upstreamCertificateRequired, .upstreamBadCertificate, .upstreamUnknownCA, .upstreamCertificateUnknown:
            self.init(
                "It wants a certificate of the client, and none that was shown will do.",
                "inspect start --client-certificate \(ShellWord("\(host)=FILE"))"
            )
        case .upstreamNoApplicationProtocol:
            self.init(
                "It speaks neither HTTP/2 nor HTTP/1.1 there; passed through, a client of its own protocol gets on with it.",
                "inspect pass-through \(word)",
                passThrough: host
            )
        case .upstreamProtocolVersion, .upstreamHandshakeFailure, .upstreamInsufficientSecurity, .handshake:
            let isPlain = message.contains("wrong version number")
            self.init(
                isPlain
                    ? "What listens there does not speak TLS: ask for it by http."
                    : "It and we have no version or cipher suite of TLS in common; passed through, the client may have one with it.",
                isPlain ? look : "inspect pass-through \(word)",
                passThrough: isPlain ? nil : host
            )
        case let cause where cause.isOfCertificate:
            self.init("It is not fit for a server, or its chain is broken.", look)
        default: self.init("What it shows can be looked at.", look)
        }
    }
}

extension TLSRemedy {
    /// Writes it as a member of an exchange's object.
    package func write(_ name: String, to json: inout JSONWriter) {
        json.object(name) { json in
            json.string("explanation", explanation)
            json.string("command", command)
            json.string("passThrough", passThrough)
        }
    }
}
