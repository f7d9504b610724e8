import NIOCore
import NIOEmbedded
import Support
import Testing

@testable import Proxy

/// The places that upstream connections have among the open files, and the dials that wait for one.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamCountTests {
    /// What dials were told, in the order in which they were.
    private typealias Told = Support.Watched<[String]>

    /// Has a dial ask for a place, and notes by its name what it gets.
    private static func ask(
        _ count: UpstreamCount,
        _ name: String,
        _ dial: Dial = Dial(),
        on loop: EmbeddedEventLoop,
        within limit: TimeAmount = .seconds(10),
        _ told: Told
    ) {
        count.place(for: dial, on: loop, within: limit).whenComplete { result in
            let what =
                switch result {
                case .success: "place"
                case .failure(is UpstreamCount.Full): "full"
                case .failure(is UpstreamCount.NotNeeded): "not needed"
                case .failure: "given up"
                }
            told.update { $0.append("\(name): \(what)") }
        }
    }

    @Test("Dials get places in the order in which they came, but for those that are given up or have waited too long")
    func order() {
        let (loop, count, told) = (EmbeddedEventLoop(), UpstreamCount(limit: 1), Told([]))
        Self.ask(count, "first", on: loop, told)
        #expect(told.value == ["first: place"])
        let givenUp = Dial()
        Self.ask(count, "second", on: loop, told)
        Self.ask(count, "third", givenUp, on: loop, told)
        Self.ask(count, "fourth", on: loop, within: .seconds(1), told)
        Self.ask(count, "fifth", on: loop, told)
        #expect(count.openCount == 1 && count.waitingCount == 4 && told.value.count == 1)
        givenUp.giveUp()
        loop.advanceTime(by: .milliseconds(999))
        #expect(told.value.dropFirst() == ["third: given up"])
        loop.advanceTime(by: .milliseconds(1))
        #expect(told.value.dropFirst(2) == ["fourth: full"])
        for name in ["second", "fifth"] {
            count.leave()
            loop.run()
            #expect(told.value.last == "\(name): place" && count.openCount == 1)
        }
        count.leave()
        // Nothing is left behind that would end a wait which is over.
        loop.advanceTime(by: .seconds(20))
        #expect(count.openCount == 0 && count.waitingCount == 0 && told.value.count == 5)
    }

    @Test("Where as many dials wait as may, a further one fails at once")
    func bound() {
        let (loop, count, told) = (EmbeddedEventLoop(), UpstreamCount(limit: 0), Told([]))
        let dials = (0..<1_024).map { _ in Dial() }
        for dial in dials { Self.ask(count, "one", dial, on: loop, told) }
        #expect(told.value == [] && count.waitingCount == dials.count)
        Self.ask(count, "further", on: loop, told)
        #expect(told.value == ["further: full"])
        for dial in dials { dial.giveUp() }
        #expect(count.waitingCount == 0 && told.value.count == 1 + dials.count)
    }

    @Test("A higher limit lets waiting dials in; above a lower one nobody is let in")
    func limit() {
        let (loop, count, told) = (EmbeddedEventLoop(), UpstreamCount(limit: 1), Told([]))
        for name in ["a", "b", "c", "d"] { Self.ask(count, name, on: loop, told) }
        count.allow(3)
        loop.run()
        #expect(told.value == ["a: place", "b: place", "c: place"] && count.openCount == 3)
        count.allow(1)
        for openCount in [2, 1] {
            count.leave()
            loop.run()
            #expect(count.openCount == openCount && told.value.count == 3)
        }
        count.leave()
        loop.run()
        #expect(told.value.last == "d: place" && count.openCount == 1)
        count.leave()
        #expect(count.openCount == 0)
    }

    @Test("A dial that is given up while its place is on its way gives the place back")
    func givenUp() {
        let (loop, count, told, dial) = (EmbeddedEventLoop(), UpstreamCount(limit: 1), Told([]), Dial())
        Self.ask(count, "first", on: loop, told)
        Self.ask(count, "second", dial, on: loop, told)
        count.leave()
        dial.giveUp()
        loop.run()
        #expect(told.value == ["first: place", "second: given up"] && count.openCount == 0)
    }

    @Test("A dial that waits until it is not needed any more leaves the queue, or gives back the place that it gets")
    func notNeeded() {
        let (loop, count, told, needed) = (
            EmbeddedEventLoop(), UpstreamCount(limit: 1), Told([]), Support.Watched(true)
        )
        Self.ask(count, "first", on: loop, told)
        for name in ["second", "third"] {
            let dial = Dial()
            dial.isNeeded = { needed.value }
            needed.update { $0 = true }
            Self.ask(count, name, dial, on: loop, told)
            loop.advanceTime(by: .seconds(1))
            needed.update { $0 = false }
            #expect(count.waitingCount == 1)
            if name == "second" { loop.advanceTime(by: .milliseconds(100)) } else { count.leave() }
            loop.run()
            #expect(told.value.last == "\(name): not needed" && count.waitingCount == 0)
        }
        #expect(count.openCount == 0)
    }

    @Test("Dials that give their places back at once follow each other in turns of the loop, not within each other")
    func turns() {
        let (loop, count) = (EmbeddedEventLoop(), UpstreamCount(limit: 1))
        let (depth, deepest, served) = (Support.Watched(0), Support.Watched(0), Support.Watched(0))
        let isTaken = count.enter()
        for _ in 1...100 {
            count.place(for: Dial(), on: loop, within: .seconds(10)).whenSuccess {
                depth.update { $0 += 1 }
                deepest.update { $0 = max($0, depth.value) }
                served.update { $0 += 1 }
                count.leave()
                depth.update { $0 -= 1 }
            }
        }
        #expect(isTaken && count.waitingCount == 100)
        count.leave()
        loop.run()
        #expect(served.value == 100 && deepest.value == 1 && count.openCount == 0)
    }

    @Test("The clients of one network of other machines have a quarter of the waits")
    func share() {
        let (loop, count, told) = (EmbeddedEventLoop(), UpstreamCount(limit: 0), Told([]))
        let dials = (0..<256).map { _ in Dial(for: [1]) }
        for dial in dials { Self.ask(count, "one", dial, on: loop, told) }
        Self.ask(count, "further", Dial(for: [1]), on: loop, told)
        #expect(told.value == ["further: full"])
        let others = [Dial(for: [2]), Dial()]
        for dial in others { Self.ask(count, "other", dial, on: loop, told) }
        #expect(told.value.count == 1 && count.waitingCount == dials.count + others.count)
        for dial in dials + others { dial.giveUp() }
        #expect(count.waitingCount == 0)
    }

    @Test("With the proxy the waits end")
    func stop() {
        let (loop, count, told) = (EmbeddedEventLoop(), UpstreamCount(limit: 0), Told([]))
        for name in ["a", "b"] { Self.ask(count, name, on: loop, told) }
        count.stop()
        #expect(told.value == ["a: given up", "b: given up"] && count.waitingCount == 0 && count.openCount == 0)
    }

    @Test("Event loops keep nothing idle for as long as dials wait")
    func isShort() {
        let (loop, count, told) = (EmbeddedEventLoop(), UpstreamCount(limit: 1), Told([]))
        let watch = LoopWatch(loop: loop, delay: .zero, clock: ProxyClock())
        count.add(watch, on: loop)
        let dials = [Dial(), Dial(), Dial()]
        for dial in dials { Self.ask(count, "one", dial, on: loop, told) }
        #expect(watch.isShort)
        count.leave()
        loop.run()
        #expect(watch.isShort && told.value.count == 2)
        dials[2].giveUp()
        #expect(!watch.isShort)
    }

    @Test("An attempt has a place for each socket that is open, for as long as it is, and one while it goes on")
    func attempt() throws {
        let (loop, count) = (EmbeddedEventLoop(), UpstreamCount(limit: 2))
        let isTaken = count.enter()
        let places = AttemptPlaces(count, on: loop)
        let sockets = (0..<3).map { _ in EmbeddedChannel(loop: loop) }
        try places.opens(sockets[0])
        #expect(isTaken && count.openCount == 1)
        try places.opens(sockets[1])
        #expect(count.openCount == 2)
        for socket in sockets.prefix(2) {
            socket.close(promise: nil)
            loop.run()
            // The attempt may try another address yet.
            #expect(count.openCount == 1)
        }
        try places.opens(sockets[2])
        places.end()
        #expect(count.openCount == 1 && !places.isShort)
        sockets[2].close(promise: nil)
        loop.run()
        #expect(count.openCount == 0)
    }

    @Test("An attempt that finds no further place ends the socket it has, unless that has connected, and takes turns")
    func short() throws {
        for hasConnected in [false, true] {
            let (loop, count) = (EmbeddedEventLoop(), UpstreamCount(limit: 1))
            let isTaken = count.enter()
            let places = AttemptPlaces(count, on: loop)
            let sockets = (0..<3).map { _ in EmbeddedChannel(loop: loop) }
            let ended = Support.Watched(0)
            for socket in sockets { socket.closeFuture.whenComplete { _ in ended.update { $0 += 1 } } }
            try places.opens(sockets[0])
            #expect(throws: UpstreamCount.Full.self) { try places.opens(sockets[1]) }
            #expect(isTaken && places.isShort && ended.value == 0)
            if hasConnected { places.end() }
            loop.run()
            #expect(ended.value == (hasConnected ? 0 : 1) && count.openCount == 1)
            if !hasConnected {
                #expect(throws: UpstreamCount.Full.self) { try places.opens(sockets[1]) }
                places.takesTurns()
                try places.opens(sockets[2])
                places.end()
                #expect(count.openCount == 1)
            }
            for socket in sockets { socket.close(promise: nil) }
            loop.run()
            #expect(count.openCount == 0)
        }
    }
}
