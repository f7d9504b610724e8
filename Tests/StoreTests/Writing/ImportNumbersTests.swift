import Foundation
import Testing
import Traffic

@testable import Store

@Suite("The numbers of an import", .timeLimit(.minutes(15)))
struct ImportNumbersTests {
    @Test("A replay finds its original, in whatever order the numbers of the archive come")
    func originals() {
        var numbers = ImportNumbers(keeps: false)
        let archived: [ExchangeID] = [10, 11, 12, 40, 7, 8, 41, 11, 90]
        for (place, number) in archived.enumerated() {
            let given = numbers.give(number, next: ExchangeID(place) + 100)
            #expect(given == ExchangeID(place) + 100)
        }
        // The later of two with the same number is the one that is meant.
        let found = [10, 11, 12, 40, 7, 8, 41, 90].map { numbers.original($0) }
        #expect(found == [100, 107, 102, 103, 104, 105, 106, 108])
        #expect([0, 9, 13, 39, 42, 89, 91, -1, .max, .min].allSatisfy { numbers.original($0) == nil })
    }

    @Test("The greatest numbers that there are can be in an archive too, in either order")
    func greatest() {
        var numbers = ImportNumbers(keeps: true)
        let archived: [ExchangeID] = [.max - 1, .max, .max - 1, .max - 2, 1]
        for (place, number) in archived.enumerated() {
            let given = numbers.give(number, next: ExchangeID(place) + 1)
            #expect(given == ExchangeID(place) + 1)
        }
        #expect([.max, .max - 1, .max - 2, 1].map { numbers.original($0) } == [2, 3, 4, 5])
        #expect([.min, 0, 2].allSatisfy { numbers.original($0) == nil })
    }

    @Test("Thirty-two times as many cost some thirty-two times as much, with a replay of the first in each")
    func isLinear() {
        // Of this thread alone, whatever else the machine does meanwhile.
        func time(_ count: Int64) -> UInt64 {
            let runs = (0..<3).map { _ in
                let began = threadTime()
                var numbers = ImportNumbers(keeps: false)
                for place in 1...count {
                    _ = numbers.give(place * 2, next: place)
                    if numbers.original(2) != 1 { Issue.record("the first is not found") }
                }
                return threadTime() - began
            }
            return runs.min() ?? 0
        }
        // Work that grows with the square costs a thousand times as much.
        #expect(time(64_000) < time(2_000) * 256)
    }

    /// Nanoseconds that this thread has used.
    private func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    @Test("In an archive that has the newest first, a replay finds its original however many there are")
    func newestFirst() {
        var numbers = ImportNumbers(keeps: true)
        let count: ExchangeID = 120_000
        // Some are left out, and one comes again at the end.
        let archived = (1...count).reversed().filter { !$0.isMultiple(of: 1_000) } + [5]
        for (place, number) in archived.enumerated() {
            let next = place == 0 ? 1 : count + ExchangeID(place)
            #expect(numbers.give(number, next: next) == (place == 0 ? number : next))
        }
        #expect(numbers.original(count - 1) == count - 1 && numbers.original(count - 2) == count + 1)
        #expect(numbers.original(1) == count + ExchangeID(archived.count) - 2)
        #expect(numbers.original(5) == count + ExchangeID(archived.count) - 1)
        #expect(numbers.original(1_000) == nil && numbers.original(count + 1) == nil)
    }
}
