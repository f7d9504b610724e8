import Foundation
import HTTPTypes
import Hummingbird
import Store
import Support
import Testing
import Traffic

@testable import Web

@Suite("The end of what an asker sends", .timeLimit(.minutes(15)))
struct AskerEndTests {
    @Test("It is a leave once the time in which it may be half a close has passed by the page's clock")
    func halfClose() throws {
        let directory = try TemporaryDirectory()
        let store = try TrafficStore(path: directory.file("captures.db"), access: .writing)
        let (began, uptime) = (Duration.seconds(500), Watched(Duration.seconds(500)))
        let door = StoreDoor(
            store,
            clock: TimeSource({ Date() }, uptime: { uptime.value }),
            halfCloseTime: .seconds(2),
            waitTime: .seconds(30)
        )
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        let end = AskerEnd(of: Request(head: head, body: .init(buffer: .init())), at: door, isLimited: true)
        #expect(end.timeLeft == .seconds(30))
        uptime.update { $0 = began + .milliseconds(1_999) }
        #expect(end.timeLeft == .seconds(30))
        uptime.update { $0 = began + .seconds(2) }
        #expect(end.timeLeft == .zero)
        try store.close()
    }
}
