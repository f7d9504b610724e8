import Lenses
import NIOCore
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct NativeCloudKitLensTests {
    private func exchange(_ host: String, _ outcome: Outcome, method: String = "CONNECT") -> Exchange {
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: method,
            scheme: outcome == .tunnelled ? nil : .https,
            host: host,
            port: 443,
            target: method == "CONNECT" ? "\(host):443" : "/",
            request: Message(head: ByteBuffer(string: "CONNECT \(host):443 HTTP/1.1\r\nUser-Agent: cloudd/1\r\n\r\n")),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: outcome
        )
        exchange.timeline.duration = 3_200_000
        switch outcome {
        case .tunnelled:
            exchange.request.body = Body(length: 1234, kept: 0, sha256: [])
            exchange.response = Message(head: ByteBuffer(), body: Body(length: 1_045_678, kept: 0, sha256: []))
        case .failed:
            exchange.failure = ExchangeFailure(side: .client, phase: .tls, cause: .unknownCA, message: "No.")
        case .completed: exchange.code = 200
        case .cancelled:
            exchange.failure = ExchangeFailure(side: .client, phase: .connect, cause: .closed, message: "It left.")
        case .pending: break
        }
        return exchange
    }

    @Test(
        "Tunnels and refusals of Apple's pinned hosts are its own; what could be read elsewhere is not",
        arguments: [
            ("gateway.icloud.com", .tunnelled, "cloudkit-native"), ("gateway.icloud.com", .failed, "cloudkit-native"),
            ("p42-gateway.icloud.com", .pending, "cloudkit-native"),
            ("gateway.icloud.com.cn", .failed, "cloudkit-native"),
            ("p07-ckdatabase.icloud.com", .tunnelled, "cloudkit-native"),
            ("cvws.icloud-content.com", .tunnelled, "cloudkit-native"), ("gsa.apple.com", .failed, "cloudkit-native"),
            ("buy.itunes.apple.com", .tunnelled, "cloudkit-native"),
            ("is1-ssl.mzstatic.com", .failed, "cloudkit-native"),
            ("notapple.com", .tunnelled, nil), ("gateway.icloud.com.evil.test", .tunnelled, nil),
            ("api.apple-cloudkit.com", .tunnelled, "cloudkit"),
        ] as [(String, Outcome, String?)]
    )
    func recognized(host: String, outcome: Outcome, lens: String?) {
        #expect(LensSet.standard.classify(exchange(host, outcome)) { _ in [] }.lens == lens)
        let read = LensSet.standard.classify(exchange("www.apple.com", .completed, method: "GET")) { _ in [] }
        #expect(read.lens == nil)
    }

    @Test("A tunnel says what it is, which app it may serve, how much went each way, how long, and that it works so")
    func tunnel() {
        let view = NativeCloudKitLens().view(Capture(exchange: exchange("gateway.icloud.com", .tunnelled)))
        #expect(view.request == "A connection of cloudd, the system's CloudKit daemon to gateway.icloud.com")
        #expect(view.response == "Passed through unread: 1,234 bytes sent, 1,045,678 received in 3.2 s")
        #expect(view.failure == nil)
        let text = CloudKitSample.text(view)
        for words in ["Bruin Life among them", "Pinned", "keeps it working", "cloudd/1"] {
            #expect(text.contains(words), "\(words)")
        }
    }

    @Test("A refusal says that nothing was sent and how to let it through")
    func refusal() {
        let view = NativeCloudKitLens().view(Capture(exchange: exchange("gateway.icloud.com", .failed)))
        #expect(view.response == "Refused: it does not accept the proxy's certificate, so nothing was sent")
        let text = CloudKitSample.text(view)
        #expect(text.contains("Pass gateway.icloud.com through") && text.contains("TLS, unknown-ca"))
    }

    @Test("A connection whose client went away is no failure")
    func cancelled() {
        let view = NativeCloudKitLens().view(Capture(exchange: exchange("gateway.icloud.com", .cancelled)))
        #expect(view.response == "Cancelled: It left." && view.failure == nil)
        #expect(CloudKitSample.text(view).contains("its client went away"))
    }

    @Test("A connection that failed for another reason is not called a refusal")
    func failure() {
        var exchange = exchange("gateway.icloud.com", .failed)
        exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .dns,
            cause: .unknownName,
            message: "No such name."
        )
        let view = NativeCloudKitLens().view(Capture(exchange: exchange))
        #expect(view.response == "Failed: No such name.")
        #expect(!CloudKitSample.text(view).contains("Pass "))
    }
}
