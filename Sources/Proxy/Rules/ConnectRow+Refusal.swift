import NIOCore
import Traffic

extension ConnectRow {
    /// Refuses a connection as a rule says, whose bytes are no HTTP: no answer could be read there, so a status code is its end.
    ///
    /// - Parameters:
    ///   - channel: the client's.
    ///   - block: how it is refused.
    ///   - use: the record of the rule.
    ///   - hasStopped: whether the client has ended its side.
    func refuse(_ channel: any Channel, by block: RuleBlock, _ use: RuleUse, hasStopped: Bool = false) {
        func failure(_ what: String) -> ExchangeFailure {
            let message = "The rule '\(use.rule)' refused the connection: it was \(what)."
            return ExchangeFailure(side: .proxy, phase: .connect, cause: .rule, message: message, retry: true)
        }
        switch block {
        case .status, .close:
            // What still comes is read, since bytes that nobody has read would make the close a reset.
            recordRefusal(failure("closed"), by: use, .failed) {
                if channel.isActive { LeavingConnection.leaveReading(channel, connection.loop) }
            }
        case .reset: recordRefusal(failure("reset"), by: use, .failed) { ConnectionEnd.reset(channel) }
        case .hang:
            let operations = channel.pipeline.syncOperations
            guard let end = try? operations.handler(type: ConnectionEnd.self) else {
                return channel.close(promise: nil)
            }
            try? operations.addHandler(LeftWaiting(self, use), position: .after(end))
            if hasStopped { channel.close(promise: nil) }
        }
    }
}
