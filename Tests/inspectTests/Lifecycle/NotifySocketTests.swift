import Testing

@testable import inspect

/// When a service manager is told, and how often.
@Suite(.timeLimit(.minutes(15))) struct NotifySocketTests {
    @Test(
        "The interval is half of what the manager waits, where it waits for this process",
        arguments: [
            (["NOTIFY_SOCKET": "/s"], nil), (["NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "2000000"], 1_000),
            (["NOTIFY_SOCKET": "@s", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "7"], 1_000),
            (["NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "2000000", "WATCHDOG_PID": "8"], nil),
            (["NOTIFY_SOCKET": "/s", "WATCHDOG_USEC": "soon"], nil),
        ] as [([String: String], Int?)]
    )
    func interval(_ environment: [String: String], _ milliseconds: Int?) throws {
        let socket = try #require(NotifySocket(environment: environment, pid: 7))
        #expect(socket.aliveInterval == milliseconds.map { .milliseconds($0) })
    }

    @Test("Where nobody waits, nobody is told", arguments: [[:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "relative"]])
    func none(_ environment: [String: String]) {
        #expect(NotifySocket(environment: environment) == nil)
    }
}
