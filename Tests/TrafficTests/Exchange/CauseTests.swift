import Archive
import Foundation
import Testing
import Traffic

@Suite("Why an exchange failed", .timeLimit(.minutes(15)))
struct CauseTests {
    private static let unknown = Cause(rawValue: "of-another-version")

    private static func failure(_ cause: Cause) -> ExchangeFailure {
        ExchangeFailure(side: .upstream, phase: .tls, cause: cause, message: "No.")
    }

    @Test(
        "A cause is its word in JSON, known or not",
        arguments: [Cause.refused, .unknownCA, unknown, Cause(rawValue: "")]
    )
    func json(cause: Cause) throws {
        let failure = Self.failure(cause)
        let json = try JSONEncoder().encode(failure)
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(object["cause"] as? String == cause.rawValue)
        #expect(try JSONDecoder().decode(ExchangeFailure.self, from: json) == failure)
    }

    @Test("A listing has the word, and reads back as the cause", arguments: [Cause.refused, unknown])
    func listing(cause: Cause) throws {
        var exchange = SampleExchange(7, response: nil, code: nil).exchange
        exchange.outcome = .failed
        exchange.failure = Self.failure(cause)
        let listing = Listing(total: 1, matched: 1, next: nil, facets: [], exchanges: [exchange.summary])
        let bytes = ListingJSON.bytes(listing)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""cause":"\#(cause.rawValue)""#))
        let read = try JSONDecoder().decode(ListingJSON.self, from: Data(bytes))
        #expect(read.exchanges.first?.failure == exchange.failure)
    }

    @Test(
        "A client's alert is known by its number, and an upstream's by the client's",
        arguments: [
            (0, .closeNotify, nil), (40, .handshakeFailure, .upstreamHandshakeFailure),
            (42, .badCertificate, .upstreamBadCertificate), (46, .certificateUnknown, .upstreamCertificateUnknown),
            (48, .unknownCA, .upstreamUnknownCA), (70, .protocolVersion, .upstreamProtocolVersion),
            (71, .insufficientSecurity, .upstreamInsufficientSecurity),
            (112, .unrecognizedName, nil), (116, .certificateRequired, .upstreamCertificateRequired),
            (120, .noApplicationProtocol, .upstreamNoApplicationProtocol),
            (255, Cause(rawValue: "number-255"), Cause(rawValue: "alert-number-255")),
        ] as [(UInt8, Cause, Cause?)]
    )
    func alerts(number: UInt8, cause: Cause, upstream: Cause?) {
        #expect(Cause.alert(number) == cause)
        let told = Cause.upstream(alert: cause)
        #expect(told.isUpstreamAlert && !cause.isUpstreamAlert)
        #expect(upstream == nil || told == upstream)
    }

    @Test("A break is a departure or a failure under way, and nothing else is")
    func breaks() {
        #expect([Cause.closed, .reset, .broken].allSatisfy { $0.isBreak })
        #expect(Cause.closed.isDeparture && Cause.reset.isDeparture && !Cause.broken.isDeparture)
        #expect([Cause.timeout, .refused, .shutdown, Self.unknown].allSatisfy { !$0.isBreak && !$0.isDeparture })
    }

    @Test("What is about a certificate is known by its word, so that unknown ones of the kind are too")
    func certificates() {
        let about = [Cause.certificateName, .certificateExpired, .ownRoot, Cause(rawValue: "certificate-odd")]
        #expect(about.allSatisfy { $0.isOfCertificate })
        let others = [Cause.handshake, .badCertificate, .upstreamCertificateRequired, .timeout]
        #expect(others.allSatisfy { !$0.isOfCertificate })
    }

    @Test("A client distrusts our certificate when it says so, and may when it closes without a word")
    func distrust() {
        #expect(
            [Cause.unknownCA, .certificateUnknown, .badCertificate].allSatisfy {
                $0.isRefusalOfCertificate && $0.isDistrust
            }
        )
        #expect(Cause.closed.isDistrust && !Cause.closed.isRefusalOfCertificate)
        #expect([Cause.reset, .certificateExpired, .left, .pinned].allSatisfy { !$0.isDistrust })
    }
}
