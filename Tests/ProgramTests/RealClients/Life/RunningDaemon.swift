import Foundation
import Support
import Synchronization

/// An `inspect start --daemon` that a test left running; it is ended with the value, if not before.
final class RunningDaemon: Sendable {
    let directory: TemporaryDirectory
    /// What the command printed before it returned.
    let said: String
    let pid: Int32
    let port: Int
    let pagePort: Int
    /// Whether its process is known to have ended, so that its number may be somebody else's.
    private let isStopped = Mutex(false)

    private init(directory: TemporaryDirectory, said: String, pid: Int32, port: Int, pagePort: Int) {
        self.directory = directory
        self.said = said
        self.pid = pid
        self.port = port
        self.pagePort = pagePort
    }

    deinit {
        if !isStopped.withLock(\.self) { kill(pid, SIGKILL) }
    }

    /// Starts it on free ports; returns when the command does.
    static func start(in directory: TemporaryDirectory? = nil, _ more: [String] = []) async throws -> RunningDaemon {
        let directory = try directory ?? TemporaryDirectory()
        let result = try await RunningInspect.run(
            ["start", "--daemon", "--port", "0", "--web-port", "0"] + RunningInspect.places(directory) + more,
            in: directory
        )
        guard result.status == 0 else { throw Unexpected("start --daemon: \(result.status) \(result.errors)") }
        struct File: Decodable {
            let pid: Int32
        }
        let file = try JSONDecoder().decode(File.self, from: Data(try directory.read("captures.db.instance")))
        func port(_ name: String) throws -> Int {
            let line = result.output.split(separator: "\n").first { $0.hasPrefix(name) }
            guard let port = line?.firstMatch(of: /:([0-9]+)/).flatMap({ Int($0.output.1) }) else {
                throw Unexpected("no \(name) in what start printed: \(result.output)")
            }
            return port
        }
        return RunningDaemon(
            directory: directory,
            said: result.output,
            pid: file.pid,
            port: try port("proxy "),
            pagePort: try port("page ")
        )
    }

    /// Has `inspect stop` end it.
    func stop() async throws -> CommandLineTool.Result {
        let result = try await run("stop")
        if result.status == 0 { isStopped.withLock { $0 = true } }
        return result
    }

    /// Runs a command on its store.
    func run(_ arguments: String...) async throws -> CommandLineTool.Result {
        try await RunningInspect.run(arguments + ["--store", RunningInspect.store(directory)], in: directory)
    }

    /// The text of its log so far.
    func log() throws -> String { String(decoding: try directory.read("captures.db.log"), as: UTF8.self) }

    /// The log as soon as a text is in it; each look asks for the status, which keeps the looks apart.
    func log(with text: String) async throws -> String {
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(20))
        while true {
            let log = try log()
            if log.contains(text) { return log }
            if ContinuousClock.now > deadline { throw Unexpected("waited for “\(text)” in the log: \(log)") }
            _ = try await run("status", "--json")
        }
    }
}
