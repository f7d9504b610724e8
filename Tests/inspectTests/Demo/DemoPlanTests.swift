import AsyncHTTPClient
import NIOSSL
import Testing

@testable import inspect

@Suite(.timeLimit(.minutes(15))) struct DemoPlanTests {
    @Test("The stand-in servers answer every request of the demonstration as planned")
    func answersPlan() async throws {
        try await DemoOrigin.run { origin in
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(origin.certificatePEM.utf8)))
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
            )
            do {
                for request in DemoPlan(origin).requests.joined() {
                    let answer = try await DemoTraffic.send(request, with: client)
                    #expect(answer.status == request.status)
                }
            } catch {
                Issue.record(error)
            }
            try await client.shutdown()
        }
    }

    @Test("The plan has what a filter is to be tried on: methods, codes and schemes of the four clients")
    func coversMix() {
        let origin = DemoOrigin(
            secure: "https://localhost:1",
            plain: "http://localhost:2",
            odd: "http://localhost:4",
            echoPort: 3,
            certificatePEM: ""
        )
        let requests = DemoPlan(origin).requests.flatMap { $0 }
        #expect(Set(requests.map(\.method)).isSuperset(of: ["GET", "HEAD", "POST", "OPTIONS"]))
        #expect(Set(requests.map(\.status)).isSuperset(of: [200, 301, 304, 404, 429, 500]))
        #expect(Set(requests.compactMap { $0.url.split(separator: ":").first }) == ["http", "https"])
        #expect(Set(requests.map(\.client)) == Set(DemoClient.allCases))
    }
}
