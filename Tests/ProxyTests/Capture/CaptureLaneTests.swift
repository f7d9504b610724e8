import NIOCore
import NIOEmbedded
import Testing
import Traffic

@testable import Proxy

/// What a loop hands over to the record without an event.
@Suite(.timeLimit(.minutes(15)))
struct CaptureLaneTests {
    @Test("Late exchanges are told in one batch a turn of the loop, and a stop waits until that is committed")
    func late() {
        let loop = EmbeddedEventLoop()
        let sink = RecordingSink(.whenAsked)
        let lane = CaptureLane(loop: loop, sink: sink, budget: CaptureBudget(limitBytes: .max), clock: ProxyClock())
        #expect(lane.isIdle)
        for moment in [30, 50, 20] as [Int64] {
            lane.add(LateSpell(count: 1, from: moment, to: moment))
        }
        #expect(!lane.isIdle && sink.soFar.late.isEmpty)
        loop.run()
        #expect(sink.soFar.late == [LateSpell(count: 3, from: 20, to: 50)])
        #expect(!lane.isIdle)
        sink.commit()
        loop.run()
        #expect(lane.isIdle)
        // And it is told once.
        lane.add(LateSpell(count: 1, from: 60, to: 60))
        loop.run()
        #expect(sink.soFar.late.map(\.count) == [3, 1] && lane.isIdle)
    }
}
