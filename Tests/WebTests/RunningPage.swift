import Logging
import ServiceLifecycle
import Store
import Support
import Traffic
import Web

/// A page that runs on a store of its own, for the length of a closure.
struct RunningPage: Sendable {
    let store: TrafficStore
    let port: Int
    let token: String

    /// Starts the server on a free port, runs the closure, and ends the server.
    ///
    /// - Throws: what the closure throws, or the server.
    static func with<Value: Sendable>(
        control: (any ProxyControl)? = nil,
        rules: (any RuleControl)? = nil,
        bench: RuleBench? = nil,
        configure: (inout WebConfiguration) -> Void = { _ in },
        inform: (inout InstanceInformation) -> Void = { _ in },
        _ body: @escaping @Sendable (RunningPage) async throws -> Value
    ) async throws -> Value {
        let directory = try TemporaryDirectory()
        let store = try TrafficStore(path: directory.file("captures.db"), access: .writing)
        var configuration = WebConfiguration(token: WebConfiguration.randomToken())
        configure(&configuration)
        var information = InstanceInformation(
            version: "1.2.3",
            proxy: "127.0.0.1:9090",
            caFile: "/home/sam/ca/root.pem",
            caFingerprint: "AB:CD"
        )
        information.caBundleFile = "/home/sam/ca/clients/bundle.pem"
        information.clients = [
            .init(name: "curl", variables: [.init("https_proxy", .proxy), .init("CURL_ROOTS", .bundle)]),
            .init(name: "node", variables: [.init("NODE_PROXY", .text("1")), .init("NODE_ROOT", .root)]),
        ]
        information.caSystemFile = "inspect-root-0123456789abcdef.crt"
        inform(&information)
        let server = WebServer(
            configuration: configuration,
            store: store,
            control: control,
            // A proxy that runs has rules, be they none.
            rules: rules ?? control.map { _ in HeldRules([], files: [], problems: []) },
            information: CurrentInformation(information),
            bench: bench,
            logger: Logger(label: "page")
        )
        let token = configuration.token
        let (ports, announce) = AsyncStream<Int>.makeStream()
        let service = Announcing(server: server) { port in
            if let port { announce.yield(port) } else { announce.finish() }
        }
        let services = ServiceGroup(services: [service], logger: Logger(label: "page"))
        let value = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            let result: Result<Value, any Error>
            do {
                guard let port = await ports.first(where: { _ in true }) else { throw NotReached() }
                result = .success(try await body(RunningPage(store: store, port: port, token: token)))
            } catch {
                result = .failure(error)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
        try store.close()
        return value
    }

    /// The server as a service that tells its port, and nil when it has ended.
    private struct Announcing: Service {
        let server: WebServer
        let tell: @Sendable (Int?) -> Void

        func run() async throws {
            defer { tell(nil) }
            try await server.run { tell($0) }
        }
    }

    /// The server ended before it was ready.
    struct NotReached: Error {}

    /// Asks for something with the token, as a program does.
    func get(_ target: String) async throws -> Reply { try await ask("GET", target) }

    /// Has something changed with the token, as a program does.
    func post(_ target: String, _ body: String = "{}") async throws -> Reply {
        let fields = [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")]
        return try await ask("POST", target, fields: fields, body: body)
    }

    /// Sends one request on a connection of its own and reads the whole answer.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - target: its target.
    ///   - host: the Host field; the server's own address unless given.
    ///   - fields: what else it says; the token unless given.
    ///   - body: what a POST sends.
    /// - Returns: the answer.
    /// - Throws: when the connection breaks or what comes is no answer.
    func ask(
        _ method: String,
        _ target: String,
        host: String? = nil,
        fields: [(String, String)]? = nil,
        body: String = "{}"
    ) async throws -> Reply {
        let client = try await RawClient.connect(port: port)
        let lines = (fields ?? [("Authorization", "Bearer \(token)")]).map { "\($0.0): \($0.1)\r\n" }.joined()
        let length = method == "POST" ? "Content-Length: \(body.utf8.count)\r\n" : ""
        try await client.send(
            "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n\(length)\(lines)\r\n"
                + (method == "POST" ? body : "")
        )
        return try Reply(await client.readToEnd())
    }
}
