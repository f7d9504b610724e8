import Testing
import Traffic

@testable import Store

@Suite("Which blocks are to be made", .timeLimit(.minutes(15)))
struct IndexingStateTests {
    /// Ten ids a block, of which so many ended.
    private static func state(through last: ExchangeID) -> IndexingState {
        var state = IndexingState(capacity: 10, last: 0)
        for id in 1...last { state.add(id) }
        return state
    }

    @Test("A block is whole when its last number is given out, and the begun one is none of those")
    func whole() {
        var state = Self.state(through: 29)
        #expect(state.waiting.all == [0, 1, 2] && state.wholeCount == 2 && state.begun == nil)
        state.add(30)
        #expect(state.wholeCount == 3)
        state.add(31)
        #expect(state.wholeCount == 3)
        let taken = state.takeWhole(atMost: 2)
        #expect(taken == [0, 1] && state.next == 2 && state.isRunning && !state.isFree)
        let rest = state.takeWhole(atMost: 9)
        #expect(rest == [2] && state.next == 3 && state.waiting.all == [3] && state.begun == 3)
        let none = state.takeWhole(atMost: 9)
        #expect(none == [] && state.next == 3)
    }

    @Test("Of numbers that nobody has no block is made")
    func holes() {
        var state = IndexingState(capacity: 10, last: 0)
        state.add(5)
        state.add(95)
        #expect(state.waiting.all == [0, 9] && state.wholeCount == 1)
        let taken = state.takeWhole(atMost: 9)
        #expect(taken == [0] && state.next == 1)
        // What ends in between later waits in its order.
        state.add(45)
        #expect(state.waiting.all == [4, 9] && state.late == [:])
    }

    @Test("What ends in a block that was taken on is late, as often as the block has numbers at most")
    func late() {
        var state = Self.state(through: 20)
        _ = state.takeWhole(atMost: 2)
        #expect(state.add(3) == 0)
        #expect(state.add(4) == 0)
        #expect(state.add(21) == nil)
        #expect(state.late == [0: 2])
        for _ in 0..<20 { state.add(13) }
        #expect(state.late == [0: 2, 1: 10])
        let taken = state.takeLate(atMost: 1)
        #expect(taken == [0] && state.late == [1: 10] && state.next == 2)
    }

    @Test("A late block behind the begun one is taken on, and leaves the begun one to be made")
    func lateBehind() {
        var state = Self.state(through: 25)
        _ = state.takeWhole(atMost: 9)
        state.delay(7, of: 10)
        let taken = state.takeLate(atMost: 1)
        #expect(taken == [7] && state.late == [:] && state.next == 2)
        #expect(state.partial == 0 && state.begun == 2)
    }

    @Test("The begun block is made of what had ended, and what ends in it after that and comes before is late")
    func begun() {
        var state = Self.state(through: 25)
        _ = state.takeWhole(atMost: 9)
        #expect(state.begun == 2)
        state.take(2)
        #expect(state.partial == 25 && state.next == 2 && state.begun == nil && state.waiting.all == [2])
        #expect(state.add(22) == 2)
        #expect(state.add(26) == nil)
        #expect(state.begun == 2 && state.late == [2: 1])
        // Made again it has both.
        state.take(2)
        #expect(state.begun == nil && state.late == [:] && state.partial == 26)
        for id in 27...31 as ClosedRange<ExchangeID> { state.add(id) }
        let whole = state.takeWhole(atMost: 9)
        #expect(whole == [2] && state.begun == 3)
    }

    @Test("A late block that has become whole meanwhile is made once")
    func lateWhole() {
        var state = Self.state(through: 5)
        state.take(0)
        state.add(2)
        for id in 6...15 as ClosedRange<ExchangeID> { state.add(id) }
        #expect(state.late == [0: 1] && state.wholeCount == 1)
        let taken = state.takeLate(atMost: 9)
        #expect(taken == [0] && state.next == 1 && state.waiting.all == [1] && state.wholeCount == 0)
    }

    @Test("What was not made waits in its order, unless that has moved on")
    func putBack() {
        var state = Self.state(through: 50)
        let taken = state.takeWhole(atMost: 4)
        state.putBack(taken.dropFirst(1))
        #expect(state.next == 1 && state.waiting.all == [1, 2, 3, 4] && state.late == [:])
        let first = state.takeWhole(atMost: 2)
        _ = state.takeWhole(atMost: 2)
        state.putBack(first)
        #expect(state.next == 5 && state.waiting.all == [] && state.late == [1: 10, 2: 10])
        state.putBack([])
        #expect(state.late == [1: 10, 2: 10])
    }

    @Test("A block that is made again before others that wait leaves them waiting")
    func lateAmongWaiting() {
        var state = Self.state(through: 50)
        let taken = state.takeWhole(atMost: 4)
        #expect(state.add(25) == 2)
        // The step ended after its first block.
        state.putBack(taken.dropFirst(1))
        #expect(state.next == 1 && state.late == [2: 1])
        let late = state.takeLate(atMost: 9)
        #expect(late == [2] && state.next == 1 && state.waiting.all == [1, 2, 3, 4])
    }

    @Test("What is taken on before others leaves those waiting, and is late when something happens in it")
    func ahead() {
        var state = Self.state(through: 45)
        let none = state.takeWhole(among: [4, 5])
        #expect(none == [] && state.isFree, "One is begun, and one has nothing")
        let taken = state.takeWhole(among: [1, 3])
        #expect(taken == [1, 3] && !state.isFree && state.next == 0 && state.waiting.all == [0, 2, 4])
        #expect(!state.isUntouched(1) && state.isUntouched(2) && state.wholeCount == 2)
        #expect(state.add(31) == 3)
        #expect(state.add(21) == nil)
        let isLate = state.remove(1)
        #expect(isLate && state.late == [1: 10, 3: 1])
        // The second was not written: it waits again, and what happened in the first is known.
        state.putBack([3])
        #expect(state.next == 0 && state.waiting.all == [0, 2, 3, 4] && state.isUntouched(3))
        // Whole ones that were made are passed by.
        let first = state.takeWhole(atMost: 1)
        #expect(first == [0] && state.next == 1)
        state.putBack([])
        #expect(state.next == 2 && state.ahead == [] && state.waiting.all == [2, 3, 4])
    }

    @Test("What was not made waits again though others behind it were made before")
    func putBackBeforeOthers() {
        var state = Self.state(through: 45)
        _ = state.takeWhole(among: [1])
        state.putBack([])
        let taken = state.takeWhole(atMost: 2)
        #expect(taken == [0, 2] && state.next == 3)
        state.putBack(taken)
        #expect(state.next == 0 && state.waiting.all == [0, 2, 3, 4] && state.late == [:])
        let isLate = state.remove(1)
        #expect(isLate && !state.isUntouched(1) && state.isUntouched(0))
        // Others were made beside the step: their order has moved on.
        _ = state.takeWhole(among: [0])
        _ = state.takeWhole(atMost: 1)
        state.putBack([0])
        #expect(state.next == 3 && state.late == [0: 10, 1: 10] && state.waiting.all == [3, 4])
    }

    @Test("A block that lost exchanges is late if it was made, as far as it was")
    func removed() {
        var state = Self.state(through: 25)
        _ = state.takeWhole(atMost: 1)
        #expect(state.remove(0) && !state.remove(1) && !state.remove(2))
        #expect(state.late == [0: 10])
        _ = state.takeWhole(atMost: 1)
        state.take(2)
        #expect(state.remove(1) && state.remove(2) && !state.remove(3))
    }

    @Test("What changes while blocks are being made is known until the next are")
    func stale() {
        var state = Self.state(through: 25)
        state.change([1])
        #expect(state.stale == [])
        _ = state.takeWhole(atMost: 1)
        state.change([1, 2])
        #expect(state.stale == [1, 2])
        state.start()
        #expect(state.stale == [])
    }

    @Test("It is quiet until something is written")
    func quiet() {
        var state = Self.state(through: 1)
        #expect(!state.isQuiet)
        state.noteQuiet()
        #expect(state.isQuiet)
        state.noteWrite()
        #expect(!state.isQuiet && state.writes == 1)
    }

    @Test("What is missing waits behind what there is, and is late before that; nothing is taken on after the end")
    func beginning() {
        var state = IndexingState(capacity: 10, next: 4, last: 99, partial: 0, missing: [1, 5, 9])
        #expect(state.late == [1: 10] && state.waiting.all == [5, 9] && state.wholeCount == 1)
        #expect(state.isFree)
        state.isClosed = true
        #expect(!state.isFree)
    }

    @Test("Blocks wait in order, each once, and none of the numbers that nobody has")
    func waiting() {
        var waiting = WaitingBlocks()
        for index in [3, 3, 9, 5, 1, 9, 4_000_000, 5] as [Int64] { waiting.insert(index) }
        #expect(waiting.all == [1, 3, 5, 9, 4_000_000] && waiting.count == 5)
        let two = waiting.take(2)
        #expect(two == [1, 3] && waiting.first == 5)
        for index in [3, 1] as [Int64] { waiting.insert(index) }
        #expect(waiting.all == [1, 3, 5, 9, 4_000_000])
        var isThere = waiting.remove(3)
        #expect(isThere && waiting.all == [1, 5, 9, 4_000_000])
        isThere = waiting.remove(3)
        #expect(!isThere && waiting.count == 4)
        isThere = waiting.remove(0)
        #expect(!isThere && waiting.count == 4)
        waiting.removeAll(below: 9)
        #expect(waiting.all == [9, 4_000_000])
        let rest = waiting.take(9)
        #expect(rest == [9, 4_000_000] && waiting.first == nil)
    }
}
