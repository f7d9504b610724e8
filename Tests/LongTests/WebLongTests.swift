import Support
import Testing

@testable import WebTests

extension LongTests {
    /// The page: every view loaded on every screen, and more of everything.
    @Suite(.serialized, .timeLimit(.minutes(15))) struct WebLongTests {
        @Test(
            "Each view, loaded on each screen, is accessible, fits and says nothing on the console; all have pictures"
        )
        func scenes() async throws {
            try await ScenePageTests.look(picturing: Browser.Screen.all, loadingForEach: true)
        }

        @Test("Five minutes of random requests over every operation of the API but the endless one")
        func fuzzing() async throws {
            try await SchemathesisTests.conforms(phases: "examples,coverage,fuzzing", fuzzingFor: 300)
        }

        @Test(
            "A body of 50 MB opens with its first rows, scrolls to its end, and is searched whole, within a small heap"
        )
        func longBody() async throws { try await BodyPageTests.opensLong(420_000, lines: 1_100_000) }

        @Test("Every hostile payload in every field by every part of the detail, and each searched for and compared")
        func hostile() async throws {
            try await HostilePageTests.everyField(oneIn: 1)
            try await HostilePageTests.everyPlace(oneIn: 1)
            try await HostilePlacesPageTests.places(oneIn: 1)
        }

        @Test("Minutes of nearly right bodies of all kinds are drawn in every view, quickly and in little room")
        func bodies() async throws {
            let seconds = Fuzz.minutes * 60 / BodyFuzzPageTests.kinds.count
            try await BodyFuzzPageTests.draw(
                seed: .random(in: 0...UInt32.max),
                while: "performance.now() < began + \(seconds * 1_000)",
                within: seconds + 120
            )
        }

        @Test("A hundred thousand rows scrolled by leave a small heap")
        func scrolls() async throws { try await PacePageTests.scrolls(100_000) }
    }
}
