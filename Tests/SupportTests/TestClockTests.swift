import Foundation
import NIOCore
import Support
import Testing

@Suite("A clock that stands still", .timeLimit(.minutes(15)))
struct TestClockTests {
    @Test("It moves when it is moved, and goes on by itself once it was let go")
    func moves() async throws {
        let clock = TestClock()
        let (start, date) = (clock.now, clock.date)
        let machine = NIODeadline.now()
        while NIODeadline.now() == machine { await Task.yield() }
        #expect(clock.now == start && clock.date == date)
        clock.advance(by: .seconds(3_600))
        #expect(clock.now == start + .seconds(3_600))
        #expect(clock.date == date.addingTimeInterval(3_600))
        clock.run()
        let released = clock.now
        #expect(released >= start + .seconds(3_600))
        while clock.now == released { await Task.yield() }
        clock.advance(by: .seconds(60))
        #expect(clock.now > released + .seconds(60))
    }
}
