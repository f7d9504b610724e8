import FacilityAPI
import Foundation
import NIOCore
import Proxy

/// The servers of a demonstration, on this machine: the facility API over HTTPS, over HTTP and in an odd installation, and an echo of bytes.
struct DemoOrigin: Sendable {
    /// `https://localhost:PORT`.
    let secure: String
    /// `http://localhost:PORT`.
    let plain: String
    /// `http://localhost:PORT` of the odd installation: see `oddConfiguration`.
    let odd: String
    /// The port of the server that answers bytes with the same bytes.
    let echoPort: Int
    /// The certificate of the HTTPS server, PEM.
    let certificatePEM: String

    /// Starts the servers, runs a closure, and stops them.
    static func run(_ body: @escaping @Sendable (DemoOrigin) async throws -> Void) async throws {
        let secure = try FacilityAPIServer(configuration: FacilityAPIConfiguration(tls: true), logger: .silent)
        let plain = try FacilityAPIServer(configuration: FacilityAPIConfiguration(), logger: .silent)
        let odd = try FacilityAPIServer(configuration: try oddConfiguration(before: Date()), logger: .silent)
        let ports = AsyncStream.makeStream(of: Port.self)
        try await LoopbackServer.run(serve: echo) { echoPort in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await secure.run { ports.continuation.yield(.secure($0)) } }
                group.addTask { try await plain.run { ports.continuation.yield(.plain($0)) } }
                group.addTask { try await odd.run { ports.continuation.yield(.odd($0)) } }
                group.addTask {
                    let (securePort, plainPort, oddPort) = await Port.all(ports.stream)
                    try await body(
                        DemoOrigin(
                            secure: "https://localhost:\(securePort)",
                            plain: "http://localhost:\(plainPort)",
                            odd: "http://localhost:\(oddPort)",
                            echoPort: echoPort,
                            certificatePEM: secure.certificatePEM ?? ""
                        )
                    )
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
    }

    /// Answers bytes with the same bytes, as a protocol does that is neither TLS nor HTTP.
    private static let echo: LoopbackServer.Serving = { inbound, outbound in
        for try await bytes in inbound { try await outbound.write(bytes) }
    }

    /// An installation whose data and clock show the bugs that a good installation hides.
    ///
    /// It is always noon, by UTC, of the Sunday before a moment: a meeting that lasts the day is in progress (V7), and what is open by the hours of
    /// UTC, which its clock shows, is not open on the campus (Sv3). A time was typed as 24:00:00 (T7), a main schedule was lost (T11), and the portal
    /// is a CKAN whose activities moved to a plugin (C8).
    private static func oddConfiguration(before now: Date) throws -> FacilityAPIConfiguration {
        let day = Int((now.timeIntervalSince1970 / 86_400).rounded(.down))
        // Day 3 of the epoch was a Sunday.
        let sunday = day - 1 - (day - 1 - 3) % 7
        let noon = Date(timeIntervalSince1970: Double(sunday) * 86_400 + 43_200)
        let changes = try FacilityChange.reading(
            """
            [{"set-field":"end_time","value":"24:00:00","path":"/whatsopen/v2/facilities/it-help-desk/"},
            {"remove-field":"main_schedule","path":"/whatsopen/v2/facilities/student-health/"}]
            """
        )
        return FacilityAPIConfiguration(clock: { noon }, changes: changes, isCKANRecent: true, hoursZone: "GMT")
    }

    private enum Port: Sendable {
        case secure(Int)
        case plain(Int)
        case odd(Int)

        /// Waits until all servers listen, and gives their ports; zeros when they never will.
        static func all(_ ports: AsyncStream<Port>) async -> (secure: Int, plain: Int, odd: Int) {
            var (securePort, plainPort, oddPort) = (0, 0, 0)
            for await port in ports {
                switch port {
                case .secure(let number): securePort = number
                case .plain(let number): plainPort = number
                case .odd(let number): oddPort = number
                }
                if securePort != 0, plainPort != 0, oddPort != 0 { break }
            }
            return (securePort, plainPort, oddPort)
        }
    }
}
