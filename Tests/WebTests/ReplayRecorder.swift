import Synchronization
import Traffic

/// A proxy that only remembers what it was asked to send again, and answers with a number.
final class ReplayRecorder: ProxyControl {
    private let requests = Mutex<[ReplayRequest]>([])
    private let refusal: ReplayError?

    init(refusal: ReplayError? = nil) { self.refusal = refusal }

    var asked: [ReplayRequest] { requests.withLock { $0 } }

    func replay(_ request: ReplayRequest) async throws -> ExchangeID {
        if let refusal { throw refusal }
        requests.withLock { $0.append(request) }
        return 4_711
    }
}
