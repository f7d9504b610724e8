import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Store
import Traffic

extension Doctor {
    private static let path = "/inspect-doctor"
    private static let requestDeadline = TimeAmount.seconds(15)

    /// Sends a request through the proxy to a server of its own on this machine, and looks for it in the store.
    ///
    /// - Returns: `nil` where the proxy has no way in for such a request.
    func request(_ running: InstanceFile) async throws -> [DoctorFinding]? {
        guard let place = try? ProxyPlace(explicitOf: running) else { return nil }
        var configuration = InstanceClient.silence(Self.requestDeadline)
        let login = place.login.map { HTTPClient.Authorization.basic(username: $0.user, password: $0.password) }
        configuration.proxy = .server(host: place.host, port: place.port, authorization: login)
        // A proxy that refuses once refuses each time, and the client would try for ten seconds.
        configuration.connectionPool.retryConnectionEstablishment = false
        let answer = "inspect-doctor \(UUID().uuidString)"
        return try await DoctorOrigin.run(answer: answer, certificate: nil) { [configuration] origin in
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let findings = await ask(client, origin)
            try await client.shutdown()
            return findings
        }
    }

    private func ask(_ client: HTTPClient, _ origin: DoctorOrigin) async -> [DoctorFinding] {
        let target = "\(Self.path)?\(origin.port)"
        let status: UInt
        let body: String
        do {
            let request = HTTPClientRequest(url: "http://127.0.0.1:\(origin.port)\(target)")
            let answer = try await client.execute(request, timeout: Self.requestDeadline)
            status = answer.status.code
            body = String(buffer: try await answer.body.collect(upTo: 64 << 10))
        } catch {
            let refused = failure(at: origin.port)
            let why = refused?.message ?? "\(error)"
            let problem = "a request through the proxy to a server on this machine fails: \(shown(why))"
            return [DoctorFinding(problem, mend: mend(refused))]
        }
        guard status == 200, body == origin.answer else {
            let said = body.split(whereSeparator: \.isNewline).joined(separator: " ")
            let problem =
                "a request through the proxy to a server on this machine is answered \(status): \(shown(String(said.prefix(300))))"
            return [DoctorFinding(problem, mend: mend(failure(at: origin.port)))]
        }
        guard let store = try? TrafficStore(path: places.storePath, access: .reading),
            let ids = try? store.ids(FilterParser.parse("url:\(origin.port) path:\(Self.path)", now: 0)), !ids.isEmpty
        else {
            let problem = "a request passed through the proxy and is not in \(shown(places.storePath))"
            return [DoctorFinding(problem, mend: again)]
        }
        return []
    }

    /// The commands that start the proxy again so that the request passes; the failure that the proxy recorded of the request chooses them.
    func mend(_ failure: ExchangeFailure?) -> String {
        guard let option = failure.flatMap({ RefusalRemedy($0)?.option }) else {
            return again + "  # without the option that leads elsewhere"
        }
        return "\(command("stop")); \(command("start \(option)"))"
    }

    /// The failure that the proxy recorded of a request to a port.
    private func failure(at port: Int) -> ExchangeFailure? {
        guard let store = try? TrafficStore(path: places.storePath, access: .reading),
            let filter = try? FilterParser.parse("port:\(port)", now: 0)
        else { return nil }
        return try? store.page(ListingQuery(filter: filter, limit: 1)).exchanges.first?.failure
    }
}
