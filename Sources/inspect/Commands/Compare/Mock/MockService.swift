import Foundation
import NIOCore
import Proxy
import ServiceLifecycle
import Store
import Traffic
import Trust

/// Answers from recordings until the service group shuts down, and prints every request with what became of it.
struct MockService: Service {
    let options: MockOptions
    let store: TrafficStore
    let recordings: Recordings
    let root: RootCertificate
    /// The root's file, for clients to trust.
    let rootFile: String

    func run() async throws {
        let log = MockLog()
        var configuration = ProxyConfiguration()
        configuration.host = options.listen
        configuration.port = options.port
        configuration.passThrough = []
        configuration.remedyWords = \.command
        // Every client gets the version that it speaks: there is no upstream to match.
        configuration.matchesProtocols = false
        configuration.bodyLimitBytes = 0
        // A recorded wait may be longer than one would wait for an upstream.
        configuration.firstByteTimeout = .hours(1)
        configuration.ownNames = try options.hostNames.names().union(recordings.hostNames.map { ASCII.lower($0) })
        configuration.answers = RecordedAnswers(
            recordings,
            order: options.order,
            keepsLatency: options.latency == .asRecorded,
            tell: { log.tell($0) }
        )
        // Answering from recordings makes no recordings.
        try await UnrecordedProxy.run(configuration, root: root) { _, listeners in
            try Console.write(Array(guide(listeners.first?.mode.place ?? "").utf8), to: STDOUT_FILENO)
            try? await gracefulShutdown()
        }
    }

    private func guide(_ place: String) -> String {
        let count = recordings.all.count { $0.isAnswerable }
        let shown = recordings.hostNames.prefix(5).joined(separator: ", ")
        let more = recordings.hostNames.count > 5 ? " and \(recordings.hostNames.count - 5) more" : ""
        let certificate = ShellWord(rootFile)
        var lines = [
            "Answering from \(count.counted("recording")) of \(VisibleText.line(shown))\(more); nothing is connected to.",
            "server  http://\(place) and https://\(place)", "proxy   http://\(place)", "root    \(certificate)",
        ]
        if let newest = recordings.all.last(where: { $0.method == "GET" && $0.isAnswerable }),
            let target = try? store.summaries(of: [newest.id]).first?.target
        {
            lines.append("try     curl \(ShellWord("http://\(place)\(target)"))")
        }
        if !["127.0.0.1", "::1", "localhost"].contains(options.listen) {
            lines.insert("WARNING: listening on \(place): whoever reaches this port can read the recordings.", at: 0)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
