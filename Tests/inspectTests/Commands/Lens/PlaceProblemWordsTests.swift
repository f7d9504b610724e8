import Lenses
import Testing

@testable import inspect

@Suite("A place's problem in words", .timeLimit(.minutes(15)))
struct PlaceProblemWordsTests {
    @Test(
        "A problem names options as a command line does, or as an address does",
        arguments: [
            (
                .value(option: "tz", given: "Mars", expectation: "expected the name of a zone"),
                "--tz Mars: expected the name of a zone"
            ),
            (
                .needs(option: "week", other: "compare", example: "ios,web"),
                "--week goes with --compare, as in --compare ios,web --week"
            ),
            (.conflict(["open-now", "closed"]), "--open-now and --closed exclude each other; give one of them"),
            (.conflict(["a", "b", "c"]), "--a, --b and --c exclude each other; give one of them"),
            (.missing(option: "food"), "--food is missing"),
            (.timeWithoutDay, "--time goes with a day, such as --day tue"),
            (.searchWithoutText, "--day 8 is search; say for what with --search TEXT"),
            (
                .notOfPlace(3, what: "alerts"),
                "exchange 3 holds no alerts; without --from-capture the newest that does is read"
            ),
        ] as [(PlaceProblem, String)]
    )
    func options(problem: PlaceProblem, words: String) {
        #expect(problem.words { "--\($0)" } == words)
        #expect(problem.words { $0 } == words.replacing("--", with: ""))
    }

    @Test(
        "Captures that hold nothing of what was asked for come with the command that helps",
        arguments: [
            (
                .nothing(what: "alert", path: "/alerts/"),
                "no alert is captured; send a client through 'inspect start' to a server's /alerts/, or import a HAR"
            ),
            (
                .notInNewest(what: "alert"),
                "the newest exchanges hold no alert, and older ones were not read; a query such as host:NAME narrows them"
            ),
            (
                .noFacility("te", in: 1, near: nil),
                "there is no facility “te” in exchange 1; 'inspect facilities --json' tells every slug"
            ),
            (.noFacility("te", in: 1, near: "tea"), "there is no facility “te” in exchange 1; did you mean tea?"),
            (.noFood("zzz"), "food “zzz”: no captured menu has it; 'inspect menus' lists them"),
            (
                .noMeetings,
                "no matching exchange is an answer to ?query of a meeting server with meetings in it; "
                    + "record one, or import it with 'inspect import'"
            ),
            (
                .notOfPortal(6),
                "exchange 6 is not with the open-data portal; 'inspect datasets' without --from-capture reads those that are"
            ),
            (.noDataset("x", near: nil), "the captures show no dataset 'x'; 'inspect datasets' lists those they show"),
        ] as [(PlaceProblem, String)]
    )
    func commands(problem: PlaceProblem, words: String) {
        #expect(problem.words { "--\($0)" } == words)
        #expect(!problem.isOfQuestion)
    }

    @Test("A value that nothing captured has is told by the name that its option has, with those there are")
    func unknown() throws {
        let unknown = try #require(UnknownValue("label", ["tre"], among: ["tree", "moss"]) { $0 == $1 })
        #expect(
            PlaceProblem.unknown(unknown).words { "--\($0)" }
                == "--label tre: nothing captured has it; did you mean 'tree'? there are moss, tree"
        )
    }
}
