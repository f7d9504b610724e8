import Dispatch
import NIOCore
import Support

@testable import Proxy

extension RunningProxy {
    /// Does something while the proxy's event loops are held up, so that they find all of it at once, in the order in which it came.
    func holdingUp(_ work: () async throws -> Void) async throws {
        let heldCount = Watched(0)
        let goOn = DispatchSemaphore(value: 0)
        for loop in server.loops {
            loop.eventLoop.execute {
                heldCount.update { $0 += 1 }
                goOn.wait()
            }
        }
        let loopCount = server.loops.count
        defer { for _ in 1...loopCount { goOn.signal() } }
        _ = try await heldCount.wait(for: "every loop to be held up") { $0 == loopCount }
        try await work()
    }
}
