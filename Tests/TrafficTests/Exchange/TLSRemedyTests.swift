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
            (.curl, nil, "127.0.0.1:5", .run(program: "curl", url: "https://api.test/")),
            (.wget, "wget", "127.0.0.1:5", .run(program: "wget", url: "https://api.test/")),
            (.python, "python3", "127.0.0.1:5", .run(program: "python3", url: nil)),
            (.node, nil, "127.0.0.1:5", .run(program: "node", url: nil)),
            (.java, "java", "", .run(program: "java", url: nil)),
            (.go, "my tool", "127.0.0.1:5", .run(program: "my tool", url: nil)),
            (.git, "git", "", .run(program: "git", url: nil)), (nil, nil, "[::1]:5", .run(program: nil, url: nil)),
            (.chromium, "chromium", "", .browse(.chromium)), (.firefox, nil, "127.0.0.1:5", .browse(.firefox)),
            (.apple, nil, "127.0.0.1:5", .installRoot),
            // What is on another machine is not ours to start.
            (.curl, nil, "192.0.2.7:5", .readGuide), (.android, nil, "192.0.2.7:5", .readGuide),
        ] as [(ClientRuntime?, String?, String, TLSRemedy.Step)],
        [Cause.unknownCA, .badCertificate, .closed]
    )
    func distrust(_ known: (ClientRuntime?, String?, String, TLSRemedy.Step), cause: Cause) {
        let (runtime, process, address, step) = known
        let remedy = Self.remedy(.client, cause, runtime, process: process, address: address)
        #expect(remedy?.step == step && remedy?.passThrough == "api.test")
    }

    @Test("A port and an odd name stand in the step as they are")
    func names() {
        #expect(
            Self.remedy(.client, .unknownCA, .curl, port: 8443)?.step
                == .run(program: "curl", url: "https://api.test:8443/")
        )
        #expect(
            Self.remedy(.upstream, .certificateName, nil, host: "::1", port: 8443)?.step
                == .lookAt(host: "::1", port: 8443)
        )
        let odd = Self.remedy(.client, .pinned, .curl, host: "a;rm -rf $HOME")
        #expect(odd?.step == .passThrough(host: "a;rm -rf $HOME"))
    }

    @Test("A message and an object have a command where there are words for the step, and the explanation in any case")
    func words() throws {
        let remedy = try #require(Self.remedy(.client, .pinned, .curl))
        #expect(remedy.text(nil) == remedy.explanation)
        #expect(remedy.text { "do \($0)" } == "\(remedy.explanation) To fix it: do passThrough(host: \"api.test\")")
        func written(_ words: TLSRemedy.Words?) -> String {
            var json = JSONWriter()
            json.object { remedy.write("remedy", to: &$0, words: words) }
            return String(decoding: json.take(), as: UTF8.self)
        }
        #expect(written(nil).contains("pinning") && written(nil).contains("\"command\":null"))
        #expect(written { _ in "do it" }.contains("\"command\":\"do it\""))
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
        #expect(remedy?.step == .passThrough(host: "api.test") && remedy?.passThrough == "api.test")
    }

    @Test("A client of HTTP/2 alone has what it speaks translated for an upstream that speaks HTTP/1.1")
    func translated() {
        let remedy = Self.remedy(.client, .noCommonProtocol, .go, process: "grpcurl")
        #expect(remedy?.step == .translateProtocols && remedy?.passThrough == nil)
    }

    @Test(
        "A bad upstream is told by the check that it failed",
        arguments: [
            (.certificateExpired, .acceptAnyUpstream, nil), (.certificateSelfSigned, .trustUpstreamRoot, nil),
            (.certificateUnknownIssuer, .trustUpstreamRoot, nil),
            (.certificateName, .lookAt(host: "api.test", port: 443), nil),
            (.certificateMustStaple, .passThrough(host: "api.test"), "api.test"),
            (.upstreamCertificateRequired, .showCertificate(host: "api.test"), nil),
            (.upstreamProtocolVersion, .passThrough(host: "api.test"), "api.test"),
            (.upstreamNoApplicationProtocol, .passThrough(host: "api.test"), "api.test"),
            (.closed, .lookAt(host: "api.test", port: 443), nil),
        ] as [(Cause, TLSRemedy.Step, String?)]
    )
    func upstream(cause: Cause, step: TLSRemedy.Step, passThrough: String?) {
        let remedy = Self.remedy(.upstream, cause, nil)
        #expect(remedy?.step == step && remedy?.passThrough == passThrough)
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
