import Testing

@testable import Store

@Suite("The log of a store", .timeLimit(.minutes(15)))
struct WriteAheadLogTests {
    @Test("The longer somebody reads, the more rarely they are waited for; once they have gone the log is soon moved")
    func rarer() {
        var state = WriteAheadLog.State()
        var (size, last, waits) = (Int64(0), Int64(0), 0)
        // To 64 times the cap, every attempt in vain.
        while size < 64 * WriteAheadLog.capBytes {
            size += 1 << 20
            guard let kind = state.add(1 << 20) else { continue }
            #expect(size - last == WriteAheadLog.checkpointBytes)
            last = size
            guard kind == .restart else { continue }
            waits += 1
            // Up to it nobody is waited for.
            #expect(size >= WriteAheadLog.capBytes)
        }
        #expect(waits > 1 && waits < 30)
        #expect(size - last < WriteAheadLog.checkpointBytes)
    }
}
