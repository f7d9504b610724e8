import NIOEmbedded
import Testing

@testable import Proxy

/// How much may be decompressed of streams within a turn of their loop.
@Suite(.timeLimit(.minutes(15)))
struct DecompressionAllowanceTests {
    /// Ends a side of which so many bytes wait, sixteen of each of which are made; how many are.
    private static func end(_ waitingBytes: Int, _ loop: LoopAllowance) -> Int {
        let allowance = DecompressionAllowance(loop)
        allowance.takeLast(waitingBytes)
        var (leftBytes, madeBytes) = (waitingBytes, 0)
        while leftBytes > 0 {
            let count = allowance.beginPiece(of: leftBytes, isLast: true, tells: false)
            guard count > 0 else { break }
            leftBytes -= count
            madeBytes += 16 * count
            guard allowance.make(16 * count) else { break }
        }
        return madeBytes
    }

    @Test("What streams end with has a bound within a turn for all together, and in the next one again")
    func last() {
        let loop = LoopAllowance()
        for _ in 1...2 {
            // Others have made enough.
            _ = DecompressionAllowance(loop).make(LoopAllowance.turnBytes + 1)
            #expect(Self.end(1_000, loop) == 16_000)
            let made = (1...3).map { _ in Self.end(4 << 20, loop) }
            #expect(made.reduce(0, +) <= LoopAllowance.burstBytes && made[0] > 0, "\(made)")
            loop.endTurn()
        }
        // Where nobody has made anything, a turn makes no more than it may and that.
        let alone = Self.end(12 << 20, loop)
        #expect(alone <= LoopAllowance.burstBytes + LoopAllowance.turnBytes + 128 << 10, "\(alone)")
    }

    @Test(
        "What came makes something free in its own turn only, also where nothing was made of it then",
        arguments: [true, false]
    )
    func expires(isLater: Bool) {
        let events = EmbeddedEventLoop()
        let allowance = DecompressionAllowance(LoopAllowance(loop: events))
        allowance.take(1 << 20)
        if isLater { events.run() }
        #expect(allowance.make(LoopAllowance.burstBytes + 1) == !isLater)
        events.run()
    }
}
