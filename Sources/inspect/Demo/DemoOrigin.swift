import FacilityAPI
import Logging
import NIOPosix

/// The servers that a demonstration talks to, on this machine: the facility API over HTTPS and over HTTP, and one that speaks neither.
struct DemoOrigin: Sendable {
    /// `https://localhost:PORT`.
    let secure: String
    /// `http://localhost:PORT`.
    let plain: String
    /// The port of the server that answers bytes with the same bytes.
    let echoPort: Int
    /// The certificate of the HTTPS server, PEM.
    let certificatePEM: String

    /// Starts the servers, runs a closure, and stops them.
    static func run(_ body: @escaping @Sendable (DemoOrigin) async throws -> Void) async throws {
        let logger = Logger(label: "inspect.demo") { _ in SwiftLogNoOpLogHandler() }
        let secure = try FacilityAPIServer(configuration: FacilityAPIConfiguration(tls: true), logger: logger)
        let plain = try FacilityAPIServer(configuration: FacilityAPIConfiguration(), logger: logger)
        let echo = try await EchoServer()
        let ports = AsyncStream.makeStream(of: Port.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await secure.run { ports.continuation.yield(.secure($0)) } }
            group.addTask { try await plain.run { ports.continuation.yield(.plain($0)) } }
            group.addTask {
                let (securePort, plainPort) = await Port.both(ports.stream)
                try await body(
                    DemoOrigin(
                        secure: "https://localhost:\(securePort)",
                        plain: "http://localhost:\(plainPort)",
                        echoPort: echo.port,
                        certificatePEM: secure.certificatePEM ?? ""
                    )
                )
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        try await echo.stop()
    }

    private enum Port: Sendable {
        case secure(Int)
        case plain(Int)

        /// The ports of both servers, once both listen; zeros when they never will.
        static func both(_ ports: AsyncStream<Port>) async -> (secure: Int, plain: Int) {
            var (securePort, plainPort) = (0, 0)
            for await port in ports {
                switch port {
                case .secure(let number): securePort = number
                case .plain(let number): plainPort = number
                }
                if securePort != 0, plainPort != 0 { break }
            }
            return (securePort, plainPort)
        }
    }
}
