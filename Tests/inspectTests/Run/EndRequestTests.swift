import Foundation
import Support
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

    @Test("Every request of a process hears its signal, from its making on")
    func hears() async {
        for _ in 0..<3 {
            let end = EndRequest(by: [SIGUSR2])
            kill(getpid(), SIGUSR2)
            for await _ in end.made {}
            #expect(end.isMade)
        }
    }

    @Test("Two requests hear one signal")
    func two() async {
        let requests = (0..<2).map { _ in EndRequest(by: [SIGUSR2]) }
        kill(getpid(), SIGUSR2)
        for request in requests {
            for await _ in request.made {}
            #expect(request.isMade)
        }
    }

    @Test("A signal is heard until what it did is restored, each time")
    func again() async throws {
        let heard = Watched(0)
        let signals = HeardSignals([SIGUSR2]) { number, before in
            heard.update { $0 += number == SIGUSR2 && !before.isIgnoring ? 1 : 0 }
        }
        for count in 1...3 {
            kill(getpid(), SIGUSR2)
            _ = try await heard.wait(for: "the signal") { $0 == count }
        }
        signals.forget()
        #expect(!SignalAction.isIgnored(SIGUSR2))
    }
}
