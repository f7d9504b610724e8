import Foundation
import Testing

@testable import inspect

@Suite("A wish that the process end", .serialized, .timeLimit(.minutes(15)))
struct EndRequestTests {
    @Test("A signal that was ignored before stays so, and any other does again what it did")
    func signals() {
        let before = SignalAction(ignoring: SIGUSR1)
        defer { before.restore() }
        let end = EndRequest(by: [SIGUSR1, SIGUSR2])
        end.forget()
        #expect(SignalAction.isIgnored(SIGUSR1) && !SignalAction.isIgnored(SIGUSR2))
        #expect(!end.isMade)
    }
}
