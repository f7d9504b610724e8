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
        #expect([0, 9, 13, 39, 42, 89, 91, -1, .max].allSatisfy { numbers.original($0) == nil })
    }

    @Test("Four times as many cost some four times as much, with a replay of the first in each")
    func isLinear() {
        func time(_ count: Int64) -> Duration {
            let runs = (0..<3).map { _ in
                ContinuousClock().measure {
                    var numbers = ImportNumbers(keeps: false)
                    for place in 1...count {
                        _ = numbers.give(place * 2, next: place)
                        if numbers.original(2) != 1 { Issue.record("the first is not found") }
                    }
                }
            }
            return runs.min() ?? .zero
        }
        #expect(time(12_000) < time(3_000) * 9)
    }
}
