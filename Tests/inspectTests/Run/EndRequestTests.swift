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
    func hears() async throws {
        for _ in 0..<3 {
            let heard = Watched<Int32?>(nil)
            let end = EndRequest(by: [SIGUSR2]) { number in heard.update { $0 = number } }
            kill(getpid(), SIGUSR2)
            let number = try await heard.wait(for: "the signal") { $0 != nil }
            #expect(number == SIGUSR2 && end.isMade)
        }
    }

    @Test("Two requests hear one signal")
    func two() async throws {
        let heard = Watched<Set<Int>>([])
        let requests = (0..<2).map { place in
            EndRequest(by: [SIGUSR2]) { _ in heard.update { _ = $0.insert(place) } }
        }
        kill(getpid(), SIGUSR2)
        let both = try await heard.wait(for: "both to hear the signal") { $0.count == 2 }
        #expect(both == [0, 1])
        for request in requests { #expect(request.isMade) }
    }
}
