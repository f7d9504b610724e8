import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Sends the four clients' requests through a proxy with real HTTP client code over real sockets.
struct DemoTraffic: Sendable {
    /// The largest response body; the stand-in servers' are far smaller, and a larger body ends the demonstration.
    private static let bodyLimitBytes = 16 << 20
    /// How long one request may take.
    private static let requestLimit = TimeAmount.seconds(30)

    let instance: RunningInstance
    let origin: DemoOrigin

    /// Sends every request; the answers come in any order.
    ///
    /// - Parameter onAnswer: told each answer as it comes.
    /// - Returns: what was sent and what came back.
    /// - Throws: `InputError` when a request fails, or gets another status than the planned one.
    func send(onAnswer: @escaping @Sendable (DemoAnswer) -> Void = { _ in }) async throws -> [DemoAnswer] {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: try configuration())
        do {
            let answers = try await withThrowingTaskGroup(of: [DemoAnswer].self) { group in
                for requests in DemoPlan(origin).requests {
                    group.addTask {
                        var answers: [DemoAnswer] = []
                        for request in requests {
                            let answer = try await DemoTraffic.send(request, with: client)
                            onAnswer(answer)
                            answers.append(answer)
                        }
                        return answers
                    }
                }
                group.addTask {
                    let answer = try await OpaqueTunnel(proxyPort: instance.proxyPort, port: origin.echoPort).send()
                    onAnswer(answer)
                    return [answer]
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try await client.shutdown()
            return answers
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    private func configuration() throws -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(instance.rootPEM.utf8)))
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        configuration.proxy = .server(host: "127.0.0.1", port: instance.proxyPort)
        configuration.httpVersion = .http1Only
        configuration.timeout.read = DemoTraffic.requestLimit
        return configuration
    }

    /// Sends one request and reads its answer.
    ///
    /// - Throws: `InputError` when the answer is not the planned one; the client's error when there is none.
    static func send(_ planned: DemoRequest, with client: HTTPClient) async throws -> DemoAnswer {
        var request = HTTPClientRequest(url: planned.url)
        request.method = .init(rawValue: planned.method)
        request.headers.add(name: "User-Agent", value: planned.client.userAgent)
        request.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        for field in planned.fields { request.headers.add(name: field.name, value: field.value) }
        if let body = planned.body { request.body = .bytes(Array(body.utf8), length: .known(Int64(body.utf8.count))) }
        let response = try await client.execute(request, timeout: DemoTraffic.requestLimit)
        let body = try await response.body.collect(upTo: DemoTraffic.bodyLimitBytes)
        guard Int(response.status.code) == planned.status else {
            let text = String(decoding: body.readableBytesView.prefix(300), as: UTF8.self)
            throw InputError(
                "\(planned.method) \(planned.url) was answered \(response.status.code), not \(planned.status): \(text)"
            )
        }
        let parts = planned.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return DemoAnswer(
            client: planned.client.rawValue,
            method: planned.method,
            scheme: String(parts[0].dropLast()),
            target: "/" + parts[3],
            status: planned.status,
            bodyBytes: body.readableBytes
        )
    }
}
