import NIOCore
import Testing
import Traffic

@Suite("What mends a failed handshake", .timeLimit(.minutes(15)))
struct TLSRemedyTests {
    private static func remedy(
        _ side: ExchangeFailure.Side,
        _ cause: Cause,
        _ runtime: ClientRuntime?,
        process: String? = nil,
        address: String = "127.0.0.1:5",
        host: String = "api.test",
        port: Int = 443
    ) -> TLSRemedy? {
        TLSRemedy(
            ExchangeFailure(side: side, phase: .tls, cause: cause, message: ""),
            host: host,
            port: port,
            client: TLSRemedy.Client(
                runtime: runtime,
                process: process.map { LocalProcess(id: 7, name: $0) },
                address: address
            )
        )
    }

    @Test(
        "A client that does not trust our root is told how it comes to",
        arguments: [
            (.curl, nil, "127.0.0.1:5", "inspect run -- curl https://api.test/"),
            (.wget, "wget", "127.0.0.1:5", "inspect run -- wget https://api.test/"),
            (.python, "python3", "127.0.0.1:5", "inspect run -- python3 …"),
            (.node, nil, "127.0.0.1:5", "inspect run -- node …"), (.java, "java", "", "inspect run -- java …"),
            (.go, "my tool", "127.0.0.1:5", "inspect run -- 'my tool' …"), (.git, "git", "", "inspect run -- git …"),
            (nil, nil, "[::1]:5", "inspect run -- COMMAND …"),
            (.chromium, "chromium", "", "inspect browser chromium"),
            (.firefox, nil, "127.0.0.1:5", "inspect browser firefox"),
            (.apple, nil, "127.0.0.1:5", "inspect ca install --system"),
            // What is on another machine is not ours to start.
            (.curl, nil, "192.0.2.7:5", "inspect ca guide"), (.android, nil, "192.0.2.7:5", "inspect ca guide"),
        ] as [(ClientRuntime?, String?, String, String)],
        [Cause.unknownCA, .badCertificate, .closed]
    )
    func distrust(_ known: (ClientRuntime?, String?, String, String), cause: Cause) {
        let (runtime, process, address, command) = known
        let remedy = Self.remedy(.client, cause, runtime, process: process, address: address)
        #expect(remedy?.command == command && remedy?.passThrough == "api.test")
    }

    @Test("A port and an odd name stand in the command as a shell needs them")
    func words() {
        #expect(
            Self.remedy(.client, .unknownCA, .curl, port: 8443)?.command
                == "inspect run -- curl https://api.test:8443/"
        )
        #expect(
            Self.remedy(.upstream, .certificateName, nil, host: "::1", port: 8443)?.command
                == "inspect tls '[::1]:8443'"
        )
        let odd = Self.remedy(.client, .pinned, .curl, host: "a;rm -rf $HOME")
        #expect(odd?.command == "inspect pass-through 'a;rm -rf $HOME'")
    }

    @Test(
        "Whoever pins, or has nothing in common with us, is passed through",
        arguments: [
            Cause.pinned, .left, .protocolVersion, .noSharedCipher, .handshakeFailure, .handshake,
            .noApplicationProtocol,
        ]
    )
    func passes(cause: Cause) {
        let remedy = Self.remedy(.client, cause, .python, process: "python3")
        #expect(remedy?.command == "inspect pass-through api.test" && remedy?.passThrough == "api.test")
    }

    @Test("A client of HTTP/2 alone has what it speaks translated for an upstream that speaks HTTP/1.1")
    func translated() {
        let remedy = Self.remedy(.client, .noCommonProtocol, .go, process: "grpcurl")
        #expect(remedy?.command == "inspect start --no-match-protocols" && remedy?.passThrough == nil)
    }

    @Test(
        "A bad upstream is told by the check that it failed",
        arguments: [
            (.certificateExpired, "inspect start --insecure-upstream", nil),
            (.certificateSelfSigned, "inspect start --upstream-ca FILE", nil),
            (.certificateUnknownIssuer, "inspect start --upstream-ca FILE", nil),
            (.certificateName, "inspect tls api.test", nil),
            (.certificateMustStaple, "inspect pass-through api.test", "api.test"),
            (.upstreamCertificateRequired, "inspect start --client-certificate 'api.test=FILE'", nil),
            (.upstreamProtocolVersion, "inspect pass-through api.test", "api.test"),
            (.upstreamNoApplicationProtocol, "inspect pass-through api.test", "api.test"),
            (.closed, "inspect tls api.test", nil),
        ] as [(Cause, String, String?)]
    )
    func upstream(cause: Cause, command: String, passThrough: String?) {
        let remedy = Self.remedy(.upstream, cause, nil)
        #expect(remedy?.command == command && remedy?.passThrough == passThrough)
        #expect(remedy?.explanation.hasSuffix(".") == true || remedy?.explanation.hasSuffix("http.") == true)
    }

    @Test("What is no handshake, and one that only took too long, has none")
    func none() {
        #expect(Self.remedy(.upstream, .timeout, nil) == nil && Self.remedy(.proxy, .loop, nil) == nil)
        let refused = ExchangeFailure(side: .upstream, phase: .connect, cause: .refused, message: "")
        let nobody = TLSRemedy.Client(runtime: nil, process: nil, address: "")
        #expect(TLSRemedy(refused, host: "a", port: 1, client: nobody) == nil)
    }

    @Test(
        "The program tells most of what a client is, then what it calls itself, then its ClientHello",
        arguments: [
            ("python3.11", nil, .openssl, .python), ("curl", "git/2.39", nil, .curl),
            ("my-app", "okhttp/4.9", .go, .android),
            (nil, "Go-http-client/1.1", .openssl, .go), (nil, nil, .java, .java),
            (nil, "Mozilla/5.0 Chrome/120", nil, .chromium),
            (nil, "Mozilla/5.0 Gecko Firefox/115.0", nil, .firefox), (nil, "Bruin/3 CFNetwork/1490", nil, .apple),
            ("MyTool", nil, nil, nil), ("git-remote-http", nil, .gnutls, .git),
            (nil, "Java-http-client/17", nil, .java),
        ] as [(String?, String?, ClientRuntime?, ClientRuntime?)]
    )
    func runtime(process: String?, userAgent: String?, hello: ClientRuntime?, runtime: ClientRuntime?) {
        let program = process.map { LocalProcess(id: 7, name: $0) }
        #expect(ClientRuntime.of(process: program, userAgent: userAgent, hello: hello) == runtime)
    }
}
