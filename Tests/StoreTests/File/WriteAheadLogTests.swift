import Testing

@testable import Store

@Suite("The log of a store", .timeLimit(.minutes(15)))
struct WriteAheadLogTests {
    @Test("The longer somebody reads, the more rarely the writer waits for them in vain")
    func rarer() {
        // From the cap to 64 times as much, every try in vain.
        var size = WriteAheadLog.capBytes
        var tries = 0
        while size < 64 * WriteAheadLog.capBytes {
            size = WriteAheadLog.nextAttempt(after: size)
            tries += 1
        }
        #expect(tries < 30)
        // Up to it nobody is waited for.
        #expect(WriteAheadLog.nextAttempt(after: 1 << 20) == (1 << 20) + WriteAheadLog.checkpointBytes)
    }
}
