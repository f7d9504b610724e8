import Foundation
import Store
import Traffic

/// Reads the messages of one client and writes the answers, each as a whole line.
///
/// It answers what takes no time in turn, so that `initialize` cannot be cancelled and a ping is answered while tools run. Calls of tools run on
/// threads, since the store's reads block, and as many at once as the context allows. A call that the client cancels ends and gets no answer.
struct MCPSession: Sendable {
    /// The longest message that is read.
    static let lineLimitBytes = 4 << 20

    private let server: MCPServer
    private let waitingLimit: Int
    private let write: @Sendable ([UInt8]) throws -> Void
    /// The thread that waits for the next line, which may never come.
    private let input = BlockingThreads()
    private let threads = BlockingThreads(limit: 64)

    /// What the session waits for.
    private enum Event: Sendable {
        /// A line came; `rest` is what was read behind it.
        case line(RPCLines.Line, rest: RPCLines)
        /// The input has ended.
        case end
        /// The call of this number has ended, with its answer; `nil` where it was given up.
        case answered(Int, JSONValue?)
    }

    /// - Parameters:
    ///   - server: answers; its context says how many calls of tools run at once.
    ///   - waitingLimit: calls of one kind that may wait, in their order; more are refused, so that the calls that run can still be cancelled.
    ///   - write: takes each answer, a line with its end.
    init(
        _ server: MCPServer,
        waitingLimit: Int = 64,
        to write: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        (self.server, self.waitingLimit, self.write) = (server, waitingLimit, write)
    }

    /// Answers lines until the input ends, and then the calls that came before: a client that sends everything at once and reads to the end misses
    /// nothing.
    ///
    /// - Parameter lines: what the client sends.
    /// - Throws: what writing an answer throws, once the next line has come or the input has ended.
    func run(_ lines: RPCLines) async throws {
        try await withThrowingTaskGroup(of: Event.self) { group in
            var calls = MCPCalls(runningLimit: server.context.runningLimit, waitingLimit: waitingLimit)
            read(lines, in: &group)
            while let event = try await group.next() {
                switch event {
                case .line(let line, let rest):
                    try await take(line, &calls)
                    read(rest, in: &group)
                case .end: break
                case .answered(let number, let answer):
                    if calls.end(number), let answer { try give(answer) }
                }
                while let call = calls.next() { begin(call, in: &group) }
            }
        }
    }

    private func read(_ lines: RPCLines, in group: inout ThrowingTaskGroup<Event, any Error>) {
        group.addTask(executorPreference: input) {
            var rest = lines
            guard let line = rest.next() else { return .end }
            return .line(line, rest: rest)
        }
    }

    /// Answers a line, or queues the call in it.
    private func take(_ line: RPCLines.Line, _ calls: inout MCPCalls) async throws {
        let message = MCPSession.message(line)
        switch message {
        case .cancelled(let id): calls.cancel(id)
        case .request(let id, MCPServer.call, _):
            guard !calls.add(message, id: id) else { return }
            let reason = "\(waitingLimit) calls of its kind wait already; call again when some are answered"
            try await answer(.bad(id: id, RPCError(.busy, reason)))
        case .request, .unanswered, .bad: try await answer(message)
        }
    }

    private static func message(_ line: RPCLines.Line) -> RPCMessage {
        switch line {
        case .whole(let bytes): RPCMessage(bytes)
        case .tooLong:
            .bad(id: .null, RPCError(.request, "a message of more than \(lineLimitBytes >> 20) MiB is not read"))
        }
    }

    private func begin(_ call: MCPCalls.Call, in group: inout ThrowingTaskGroup<Event, any Error>) {
        group.addTask {
            let answer = try? await threads.run(until: call.wanted) { await server.answer(call.message) }
            return .answered(call.number, answer)
        }
    }

    private func answer(_ message: RPCMessage) async throws {
        if let answer = await server.answer(message) { try give(answer) }
    }

    private func give(_ answer: JSONValue) throws {
        try write(
            JSONWriter.bytes { json in
                json.value(nil, answer)
                json.newline()
            }
        )
    }
}
