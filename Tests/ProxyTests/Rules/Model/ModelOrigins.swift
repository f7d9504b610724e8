import Support
import Synchronization

/// Two origins that give the answer they are told to, and keep what they are asked: the usual one, and another to which rules send requests.
struct ModelOrigins {
    private let log: OriginLog
    private let usual: LoopbackOrigin
    private let other: LoopbackOrigin

    private init(_ log: OriginLog, _ usual: LoopbackOrigin, _ other: LoopbackOrigin) {
        (self.log, self.usual, self.other) = (log, usual, other)
    }

    /// Starts both.
    static func start() async throws -> ModelOrigins {
        let log = OriginLog()
        return ModelOrigins(
            log,
            try await LoopbackOrigin.start(script: log.script(isElsewhere: false)),
            try await LoopbackOrigin.start(script: log.script(isElsewhere: true))
        )
    }

    /// The port of the usual one.
    var port: Int { usual.port }

    /// The authority of the other.
    var elsewhere: String { "127.0.0.1:\(other.port)" }

    /// Has both answer with these bytes from here on.
    func answer(_ response: String) { log.state.withLock { $0.answer = Array(response.utf8) } }

    /// The requests that came since this was last asked.
    func take() -> [ModelOutcome.Sent] {
        log.state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }
}

/// What two origins are to answer, and what they are asked.
private final class OriginLog: Sendable {
    struct State {
        var answer: [UInt8] = []
        var asked: [ModelOutcome.Sent] = []
    }

    let state = Mutex(State())

    func script(isElsewhere: Bool) -> LoopbackOrigin.Script {
        RawRequest.answering { [self] request in
            let sent = ModelOutcome.Sent(
                isElsewhere: isElsewhere,
                head: String(decoding: request.bytes.prefix(request.headBytes), as: UTF8.self),
                content: String(decoding: request.content, as: UTF8.self)
            )
            return state.withLock { state in
                state.asked.append(sent)
                return state.answer
            }
        }
    }
}
