import Support
import Testing
import Traffic

@testable import LensesTests
@testable import ProxyTests
@testable import StoreTests
@testable import TrafficTests
@testable import TrustTests
@testable import inspectTests

extension LongTests {
    /// Random input, more of it than CI takes, and other input each time: a failure names its seed as the argument.
    @Suite("Random input", .timeLimit(.minutes(15)))
    struct LongFuzzTests {
        private static func seeds(_ count: Int) -> [UInt64] { (0..<count).map { _ in .random(in: 0...UInt64.max) } }

        @Test("Nothing that is read traps", arguments: seeds(8))
        func values(seed: UInt64) async throws {
            let fuzz = FuzzTests()
            fuzz.readEndpoints(rounds: 20_000, seed: seed)
            for facet in Facet.all { fuzz.readSelectors(of: facet, rounds: 5_000, seed: seed) }
            try await fuzz.decode(rounds: 2_000, seed: seed)
            fuzz.readLeniently(rounds: 20_000, seed: seed)
            try RedactorFuzzTests().isBounded(seed: seed, rounds: 3_000)
        }

        @Test("Whatever the portal sends, nothing traps", arguments: 0..<4)
        func portal(kind: Int) throws { try OpenDataOddInputTests().variants(kind: kind, oneIn: 1) }

        @Test("Blocks and rows answer as the filter means", arguments: seeds(8))
        func listings(seed: UInt64) async throws {
            try await ListingPropertyTests().agree(seed: seed, most: 1_500, questions: 4)
        }

        @Test("Ten thousand random lists of rules do to real traffic what a model says", arguments: seeds(40))
        func rules(seed: UInt64) async throws { try await LiveModelTests.agree(seed: seed, lists: 250) }

        private static let parsers = Fuzz.chosen(
            of: ReaderFuzzTests.parsers + LensFuzzTests.parsers + WireFuzzTests.parsers + YAMLFuzzTests.parsers
        )

        @Test("Minutes of nearly right inputs are read or refused, quickly and in little room", arguments: parsers)
        func parser(parser: Fuzz) throws {
            #if COVERAGE
            try parser.explore(minutes: Fuzz.minutes)
            #else
            let outcome = try parser.run(for: .seconds(Fuzz.minutes * 60), seed: .random(in: 0...UInt64.max))
            print("\(parser.name): \(outcome.executions) inputs, the costliest \(outcome.costliest / 1_000) µs")
            #expect(outcome.findings == [])
            #endif
        }

        @Test(
            "More than two hundred thousand secrets of one body are masked",
            arguments: [#"{"password":["#, #"{"name":"password","value":["#]
        )
        func secrets(start: String) throws { try RedactedContainersTests().many(start, limit: Redactor.findingLimit) }

        @Test("Among a hundred thousand random names no leaf is another's", arguments: seeds(1))
        func leaves(seed: UInt64) throws {
            try LeafCacheTests().expectNoMismatch(names: 100_000, seed: seed)
        }
    }
}
