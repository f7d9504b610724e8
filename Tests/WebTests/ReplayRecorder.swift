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

    private let passed = Mutex([PassedHost(host: "*.apple.test", isAdded: false)])

    func passedThrough() -> [PassedHost] { passed.withLock { $0 } }

    func passThrough(_ host: String) throws {
        if host.contains(" ") { throw PassThroughError("\(host) is no host") }
        passed.withLock { $0.append(PassedHost(host: host.lowercased(), isAdded: true)) }
    }

    func readAgain(_ host: String) -> Bool {
        passed.withLock { passed in
            let count = passed.count
            passed.removeAll { $0.host == host }
            return passed.count < count
        }
    }
}
