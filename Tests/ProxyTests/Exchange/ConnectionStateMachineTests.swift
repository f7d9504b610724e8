import NIOCore
import Testing

@testable import Proxy

/// Plays a client's connection against its rules; no time passes but what a fact tells.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionStateMachineTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
    private static let limits = ConnectionStateMachine.Limits(head: .seconds(30), keepAlive: .seconds(60))
    private var machine = ConnectionStateMachine(now: start)

    private func after(_ seconds: Int64) -> NIODeadline { Self.start + .seconds(seconds) }

    private mutating func ended(_ mayFollow: Bool = true, hasRoom: Bool = true, at seconds: Int64 = 0)
        -> ConnectionStateMachine.Effect?
    {
        machine.handle(.exchangeEnded(mayFollow: mayFollow, hasRoom: hasRoom, now: after(seconds)))
    }

    private mutating func look(at seconds: Int64, isPaused: Bool = false) -> ConnectionStateMachine.Effect? {
        machine.handle(.look(now: after(seconds), limits: Self.limits, isPaused: isPaused))
    }

    @Test("One exchange follows another, and the last is followed by the end of the output")
    mutating func follows() {
        #expect(machine.handle(.exchangeBegan) == nil && machine.isOpen)
        #expect(ended() == .next)
        #expect(machine.handle(.exchangeBegan) == nil)
        #expect(ended(false) == .endOutput && machine.isEnding && !machine.isOpen)
        #expect(machine.handle(.written(now: after(0))) == .readOut && machine.isLingering)
    }

    @Test("The next exchange waits for room, once")
    mutating func waits() {
        _ = machine.handle(.exchangeBegan)
        #expect(ended(hasRoom: false) == .awaitRoom)
        #expect(machine.handle(.inputClosed) == nil)
        #expect(machine.handle(.room(now: after(1))) == .next)
        #expect(machine.handle(.room(now: after(1))) == nil)
    }

    @Test("A client that sends nothing more: the exchange under way is told, and none begins after it")
    mutating func inputClosed() {
        _ = machine.handle(.exchangeBegan)
        #expect(machine.handle(.inputClosed) == .tellExchange)
        #expect(ended() == .next)
        // The shell tells it again once what was sent ahead is read.
        #expect(machine.handle(.inputClosed) == .closeWhenWritten)
        #expect(machine.handle(.written(now: after(0))) == .close)
    }

    @Test("What comes behind the last exchange is read for two seconds, and 256 KiB of it; then the connection is left")
    mutating func lingers() {
        _ = machine.handle(.exchangeBegan)
        _ = ended(false)
        _ = machine.handle(.written(now: after(5)))
        #expect(look(at: 6) == nil)
        var full = machine
        #expect(look(at: 7) == .leave && !machine.isLingering && look(at: 1_000) == nil)
        #expect(full.handle(.cameBehind(256 << 10 - 1)) == nil && full.isLingering)
        #expect(full.handle(.cameBehind(1)) == .leave && full.handle(.cameBehind(1)) == nil)
    }

    @Test("A connection without an exchange is ended after its time; a head that began has a time of its own")
    mutating func idles() {
        #expect(look(at: 59) == nil)
        var slow = machine
        #expect(look(at: 60) == .endOutput)
        #expect(slow.handle(.came(headBytes: 3, now: after(59))) == nil)
        #expect(slow.handle(.came(headBytes: 4, now: after(80))) == nil)
        #expect(slow.handle(.look(now: after(88), limits: Self.limits, isPaused: false)) == nil)
        #expect(slow.handle(.look(now: after(89), limits: Self.limits, isPaused: false)) == .refuseSlowHead)
    }

    @Test("Time in which nothing is read is not the client's")
    mutating func pauses() {
        _ = machine.handle(.came(headBytes: 3, now: after(0)))
        #expect(look(at: 100, isPaused: true) == nil)
        #expect(look(at: 129) == nil)
        #expect(look(at: 130) == .refuseSlowHead)
    }

    @Test("An exchange, and a dial, have as long as they need")
    mutating func busy() {
        _ = machine.handle(.exchangeBegan)
        #expect(look(at: 10_000) == nil)
        var dialing = ConnectionStateMachine(now: Self.start)
        #expect(dialing.handle(.connecting) == nil && dialing.isConnecting)
        #expect(dialing.handle(.look(now: after(10_000), limits: Self.limits, isPaused: false)) == nil)
        #expect(dialing.handle(.inputClosed) == nil)
    }

    @Test("A proxy that stops ends what is between exchanges, leaves what lingers, and waits for the rest")
    mutating func drains() {
        var (busy, lingering) = (machine, machine)
        #expect(machine.handle(.drain) == .endOutput && machine.isEnding && machine.handle(.drain) == nil)
        // Within the same pass where the system takes all at once: nothing is waited for then.
        #expect(machine.handle(.written(now: after(0))) == .leave && !machine.isEnding)
        #expect(machine.handle(.drain) == nil)
        _ = busy.handle(.exchangeBegan)
        #expect(busy.handle(.drain) == nil)
        #expect(busy.handle(.exchangeEnded(mayFollow: true, hasRoom: true, now: after(0))) == .endOutput)
        #expect(busy.handle(.written(now: after(0))) == .leave)
        _ = lingering.handle(.exchangeBegan)
        _ = lingering.handle(.exchangeEnded(mayFollow: false, hasRoom: true, now: after(0)))
        #expect(lingering.handle(.written(now: after(0))) == .readOut && lingering.handle(.drain) == .leave)
    }

    @Test("Nothing follows on a connection that is over")
    mutating func over() {
        _ = machine.handle(.exchangeBegan)
        #expect(machine.handle(.left) == nil)
        #expect(ended() == nil && ended(false) == nil && machine.handle(.inputClosed) == nil)
        #expect(look(at: 1_000) == nil && machine.handle(.drain) == nil && !machine.isOpen)
    }
}
