import Foundation
import Support

/// The built `inspect start` as a process of its own, with a store and a root of its own.
final class RunningInspect: Sendable {
    /// Where its store and its root are; another instance may follow it there.
    let directory: TemporaryDirectory
    let process: RunningProcess
    /// The proxy's port.
    let port: Int
    /// The page's port.
    let pagePort: Int

    private init(directory: TemporaryDirectory, process: RunningProcess, port: Int, pagePort: Int) {
        self.directory = directory
        self.process = process
        self.port = port
        self.pagePort = pagePort
    }

    /// Starts it on free ports and waits until it says where it listens; one of the listeners must be explicit.
    ///
    /// - Parameters:
    ///   - directory: where its store and its root are, or are made.
    ///   - more: further options.
    ///   - program: the file of `inspect`; by default the one beside the tests.
    /// - Returns: it, when it listens.
    /// - Throws: `EndedEarly` where it could not start.
    static func start(
        in directory: TemporaryDirectory? = nil,
        _ more: [String] = [],
        by program: String? = nil
    ) async throws -> RunningInspect {
        let directory = try directory ?? TemporaryDirectory()
        let process = try RunningProcess(
            try program ?? Executable.inspect(),
            ["start", "--web-port", "0"] + (more.contains("--listen-mode") ? [] : ["--port", "0"])
                + places(directory) + more,
            environment: environment(directory)
        )
        var ports: [Int] = []
        for name in ["proxy ", "page "] {
            let line = try await process.line(containing: name)
            guard let port = line.firstMatch(of: /:([0-9]+)/).flatMap({ Int($0.output.1) }) else {
                throw Unexpected("no port in what start printed: \(line)")
            }
            ports.append(port)
        }
        return RunningInspect(directory: directory, process: process, port: ports[0], pagePort: ports[1])
    }

    /// The addresses of its listeners by their modes, as the instance file has them.
    func listeners() throws -> [String: String] {
        struct File: Decodable {
            struct Listener: Decodable {
                let mode: String
                let address: String
            }
            let listeners: [Listener]
        }
        let file = try JSONDecoder().decode(File.self, from: Data(try directory.read("captures.db.instance")))
        return Dictionary(file.listeners.map { ($0.mode, $0.address) }) { first, _ in first }
    }

    /// What a client is given as its proxy.
    var proxy: String { "http://127.0.0.1:\(port)" }

    /// The root as `inspect ca export` prints it, in a file.
    func rootFile() async throws -> String {
        let exported = try await Self.run(["ca", "export", "--ca-directory", directory.file("ca")], in: directory)
        guard exported.status == 0, exported.output.contains("BEGIN CERTIFICATE") else {
            throw Unexpected("ca export: \(exported.output)\(exported.errors)")
        }
        return try directory.write(exported.output, to: "root.pem")
    }

    /// The listing that `inspect filter --json` prints.
    ///
    /// It has what clients have had, unless the record took longer than the proxy waits for it; then the proxy's own words stand beside the failure.
    func listing(_ arguments: String...) async throws -> StoredListing {
        let listing = try await StoredListing.read(in: directory, arguments)
        let said = String(decoding: process.soFar.errors, as: UTF8.self)
        for line in said.split(separator: "\n") where line.contains("goes on ahead of it") {
            print("the proxy warned: \(line)")
        }
        return listing
    }

    /// The listing as soon as a row is in it that a test waits for.
    ///
    /// Each look is a command of its own, which is what keeps the looks apart.
    func listing(
        with what: String,
        within limit: Duration = .seconds(20),
        until isMet: (StoredListing) -> Bool
    ) async throws -> StoredListing {
        let deadline = ContinuousClock.now + Patience.stretched(limit)
        while true {
            let listing = try await listing("--limit", "1000")
            if isMet(listing) { return listing }
            if ContinuousClock.now > deadline { throw Unexpected("waited for \(what), but there is only \(listing)") }
        }
    }

    /// The exchange that `inspect show ID --json` prints.
    func exchange(_ id: Int) async throws -> StoredExchange {
        let shown = try await Self.run(["show", "\(id)", "--store", Self.store(directory), "--json"], in: directory)
        guard shown.status == 0 else { throw Unexpected("show \(id): \(shown.errors)") }
        return try JSONDecoder().decode(StoredExchange.self, from: Data(shown.outputBytes))
    }

    /// The bytes that `inspect show ID --body SIDE --raw` prints.
    func body(_ id: Int, _ side: String) async throws -> [UInt8] {
        let shown = try await Self.run(
            ["show", "\(id)", "--store", Self.store(directory), "--body", side, "--raw"],
            in: directory
        )
        guard shown.status == 0 else { throw Unexpected("show \(id) --body \(side): \(shown.errors)") }
        return shown.outputBytes
    }

    /// Runs another `inspect` for the user whose home is this directory.
    static func run(
        _ arguments: [String],
        in directory: TemporaryDirectory,
        environment more: [String: String?] = [:],
        by program: String? = nil,
        within limit: Duration = .seconds(60)
    ) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(
            try program ?? Executable.inspect(),
            arguments,
            environment: environment(directory).merging(more) { $1 },
            within: limit
        )
    }

    /// The store of a directory.
    static func store(_ directory: TemporaryDirectory) -> String { directory.file("captures.db") }

    /// The options that name a directory's store and root.
    static func places(_ directory: TemporaryDirectory) -> [String] {
        ["--store", store(directory), "--ca-directory", directory.file("ca")]
    }

    /// What makes this directory the home of a user who has other folders for data and for configurations than the usual.
    static func environment(_ directory: TemporaryDirectory) -> [String: String?] {
        ["HOME": directory.path, "XDG_DATA_HOME": directory.file("data"), "XDG_CONFIG_HOME": directory.file("config")]
    }
}

/// Something a test relies on was not so.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
