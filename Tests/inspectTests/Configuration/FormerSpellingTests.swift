import ArgumentParser
import Testing

@testable import inspect

/// Spellings of earlier versions mean what they meant, and say once how they are written now.
@Suite(.timeLimit(.minutes(15))) struct FormerSpellingTests {
    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    @Test(
        "A former spelling is read as today's, wherever it stands among the command's own words",
        arguments: [
            ("resume --store a.db", "pause --remove --store a.db"), ("saved", "saved"),
            ("saved add broken code:5xx", "saved broken code:5xx"), ("saved remove broken", "saved --remove broken"),
            ("saved list --json", "saved --json"), ("help resume", "help pause"), ("help saved remove", "help saved"),
            ("tag 12 slow --remove", "mark tag 12 slow --remove"), ("note 7 text", "mark note 7 text"),
            ("favourite 7", "mark favourite 7"), ("compact", "store compact"), ("help tag", "help mark tag"),
            ("openapi infer code:200 --yaml", "export --format openapi code:200 --yaml"),
            ("help openapi infer", "help export"),
            ("check --har=a.har --strict", "check --from=a.har --strict"),
            ("assert --count 0 --har a.har", "assert --count 0 --from a.har"),
            ("diff --har a.har --har b.har", "diff --from a.har --from b.har"),
            ("run --har a.har --filter path:/a curl --filter", "run --har a.har --query path:/a curl --filter"),
            ("run --filter 404 curl 404", "run --query \"404\" curl 404"),
            ("browser --filter=404,500", "browser --query=\"404,500\""),
            ("facility tea --why", "facilities --one tea --why"), ("help facility", "help facilities"),
            ("man facility", "man facilities"), ("man food", "man menus food"), ("man saved remove", "man saved"),
            ("facility --why 7", "facilities --one --why 7"), ("facility alerts", "facilities --one alerts"),
            ("alerts --all", "facilities alerts --all"), ("food 059101", "menus food 059101"),
            ("swipes --plan BP19", "menus swipes --plan BP19"), ("help swipes", "help menus swipes"),
            ("meetings --attend 99/11 --unattend 99/12", "meetings --attend 99/11 --remove 99/12"),
            ("datasets --unsave=wards --saved", "datasets --remove=wards --saved"),
            ("favourite --query 404", "mark favourite --query \"404\""), ("favourite 404", "mark favourite 404"),
            ("saved add errors 404 500 --store 7", "saved errors \"404\" \"500\" --store 7"),
            ("saved add 7 code:404", "saved 7 code:404"),
            ("browser --filter path:/a", "browser --query path:/a"),
            ("replay 17 --query a=1 --query=b", "replay 17 --query-item a=1 --query-item=b"),
        ]
    )
    func reads(_ former: String, _ current: String) throws {
        let (words, remarks) = FormerSpelling.replaced(in: Self.words(former))
        #expect(words == Self.words(current))
        #expect(remarks.count == (former == current ? 0 : 1))
        if words.first != "help" { _ = try Inspect.parseAsRoot(words) }
    }

    @Test(
        "What is no former spelling stays as it is, and says nothing",
        arguments: [
            "", "ls resume", "mark note 7 resume", "replay 17 -- --query", "ls --query", "replayed --query a", "help",
            "saved broken add", "run -- resume", "man", "man queries", "man --output resume",
        ]
    )
    func leaves(_ line: String) {
        let (words, remarks) = FormerSpelling.replaced(in: Self.words(line))
        #expect(words == Self.words(line) && remarks.isEmpty)
    }

    @Test("Options keep their values, and those of a program that a command runs are its own")
    func options() {
        let spellings: [FormerSpelling] = [
            .option("--session-name", of: "run", isNow: "--session"),
            .option("--forget", of: "saved", isNow: "--remove --store"),
        ]
        func replaced(_ line: String) -> String {
            FormerSpelling.replaced(in: Self.words(line), by: spellings).words.joined(separator: " ")
        }
        #expect(
            replaced("run --session-name a --har b curl --session-name c")
                == "run --session a --har b curl --session-name c"
        )
        #expect(replaced("run --har b --session-name=a -- x") == "run --har b --session=a -- x")
        #expect(replaced("run -- x --session-name a") == "run -- x --session-name a")
        #expect(replaced("saved --forget=a") == "saved --remove --store=a")
        #expect(replaced("saved --forget a") == "saved --remove --store a")
    }

    @Test("The remark names both spellings, and stands once")
    func remarks() {
        #expect(FormerSpelling.replaced(in: ["resume"]).remarks == ["'inspect resume' is now 'inspect pause --remove'"])
        #expect(
            FormerSpelling.replaced(in: Self.words("replay 1 --query a --query b")).remarks
                == ["'inspect replay --query' is now 'inspect replay --query-item'"]
        )
    }
}
