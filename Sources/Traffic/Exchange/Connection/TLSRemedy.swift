/// What a TLS handshake that failed means, and the one step that fixes it.
package struct TLSRemedy: Hashable, Sendable {
    /// What the failure means, in one sentence or two.
    package var explanation: String
    /// What fixes it; `nil` where nothing that we know does.
    package var step: Step?
    /// The host, where it helps to pass its TLS through unread: the client and the upstream then shake hands with each other.
    package var passThrough: String?

    /// What the failure means, without what fixes it: for a failure that an archive tells of, whose author would word the command.
    package var meaning: TLSRemedy { TLSRemedy(explanation, nil) }

    /// The explanation as the end of a message, with the step where there are words for it.
    package func text(_ words: Words?) -> String {
        guard let step, let words else { return explanation }
        return "\(explanation) To fix it: \(words(step))"
    }

    /// The remedy of an exchange that failed in a TLS handshake; `nil` for every other exchange.
    package init?(_ exchange: Exchange) {
        guard let failure = exchange.failure else { return nil }
        self.init(failure, host: exchange.host, port: exchange.port, client: Client(of: exchange))
    }

    /// The remedy of a failure; `nil` unless a TLS handshake failed.
    ///
    /// - Parameters:
    ///   - failure: what failed.
    ///   - host: the upstream's name, which may be anything that a client sends.
    ///   - port: the upstream's.
    ///   - client: whose handshake it was.
    package init?(_ failure: ExchangeFailure, host: String, port: Int, client: Client) {
        guard failure.phase == .tls, failure.cause != .timeout else { return nil }
        switch failure.side {
        case .client: self.init(client, failure.cause, host: host, port: port)
        case .upstream: self.init(upstream: failure.cause, message: failure.message, host: host, port: port)
        case .proxy: return nil
        }
    }

    private init(_ explanation: String, _ step: Step?, passThrough: String? = nil) {
        self.explanation = explanation
        self.step = step
        self.passThrough = passThrough
    }

    // MARK: The client's side

    private init?(_ client: Client, _ cause: Cause, host: String, port: Int) {
        let trust = TLSRemedy.trust(client, host: host, port: port)
        let pass = Step.passThrough(host: host)
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
            self.init("Our certificates are a few days old at most: its clock is wrong.", .checkMachine)
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
                .translateProtocols
            )
        case .certificateRequired: return nil
        default:
            self.init("It and we could not agree on how to speak TLS.", pass, passThrough: host)
        }
    }

    /// How a client comes to trust the root, with as much of its command line as is known.
    private static func trust(_ client: Client, host: String, port: Int) -> Step {
        if client.isElsewhere { return .readGuide }
        let program = client.process?.name
        func run(_ usual: String?) -> Step { .run(program: program ?? usual, url: nil) }
        switch client.runtime {
        case .curl, .wget:
            let usual = client.runtime?.rawValue ?? "curl"
            return .run(program: program ?? usual, url: "https://\(authority(host, port))/")
        case .chromium: return .browse(.chromium)
        case .firefox: return .browse(.firefox)
        case .android: return .readGuide
        case .apple: return .installRoot
        case .python: return run("python3")
        case .node: return run("node")
        case .java: return run("java")
        case .git: return run("git")
        case .deno: return run("deno")
        case .ruby: return run("ruby")
        case .php: return run("php")
        case .dotnet: return run("dotnet")
        case .go, .rust, .openssl, .gnutls, nil: return run(nil)
        }
    }

    /// A host as people name it for TLS: with its port unless that is 443.
    package static func authority(_ host: String, _ port: Int) -> String {
        port == 443 ? Endpoint.bracketed(host) : "\(Endpoint.bracketed(host)):\(port)"
    }

    // MARK: The upstream's side

    private init?(upstream cause: Cause, message: String, host: String, port: Int) {
        let look = Step.lookAt(host: host, port: port)
        switch cause {
        case .certificateExpired, .certificateNotYetValid:
            self.init(
                "Its owner has to renew it; where it is your own test server, any certificate can be accepted for one run.",
                .acceptAnyUpstream
            )
        case .certificateSelfSigned, .certificateUnknownIssuer:
            self.init(
                "Where the server is yours, trust its issuer: a PEM file with the root that signed it.",
                .trustUpstreamRoot
            )
        case .certificateName:
            self.init("It is for other names, which the chain below lists: ask for one of them.", look)
        case .certificateWeak:
            self.init(
                "Browsers refuse it too. Where it is your own test server, any certificate can be accepted for one run.",
                .acceptAnyUpstream
            )
        case .certificateMustStaple:
            self.init(
                "Passed through, the client judges it itself.",
                .passThrough(host: host),
                passThrough: host
            )
        case .ownRoot: self.init("Another inspect with the same root stands between us and the host.", nil)
        case .upstreamCertificateRequired, .upstreamBadCertificate, .upstreamUnknownCA, .upstreamCertificateUnknown:
            self.init(
                "It wants a certificate of the client, and none that was shown will do.",
                .showCertificate(host: host)
            )
        case .upstreamNoApplicationProtocol:
            self.init(
                "It speaks neither HTTP/2 nor HTTP/1.1 there; passed through, a client of its own protocol gets on with it.",
                .passThrough(host: host),
                passThrough: host
            )
        case .upstreamProtocolVersion, .upstreamHandshakeFailure, .upstreamInsufficientSecurity, .handshake:
            let isPlain = message.contains("wrong version number")
            self.init(
                isPlain
                    ? "What listens there does not speak TLS: ask for it by http."
                    : "It and we have no version or cipher suite of TLS in common; passed through, the client may have one with it.",
                isPlain ? look : .passThrough(host: host),
                passThrough: isPlain ? nil : host
            )
        case let cause where cause.isOfCertificate:
            self.init("It is not fit for a server, or its chain is broken.", look)
        default: self.init("What it shows can be looked at.", look)
        }
    }
}

extension TLSRemedy {
    /// Writes it as a member of an exchange's object; without words its command is null.
    package func write(_ name: String, to json: inout JSONWriter, words: Words?) {
        json.object(name) { json in
            json.string("explanation", explanation)
            json.string("command", step.flatMap { step in words.map { $0(step) } })
            json.string("passThrough", passThrough)
        }
    }
}
