import ArgumentParser
import Foundation
import Proxy
import Support
import Testing

@testable import ProgramTests
@testable import inspect

/// How a page is opened in the browser of whoever starts a proxy, and what is said of it.
@Suite(.timeLimit(.minutes(15))) struct PageOpeningTests {
    #if !canImport(Darwin)
    @Test("The desktop's program gets the page's address with a pass, and goes past every proxy")
    func opened() async throws {
        let opener = try AddressOpener(in: try TemporaryDirectory())
        let environment = opener.environment.compactMapValues { $0 }
        let opening = await PageOpening.open("http://127.0.0.1:9091", environment: environment) { "it's" }
        #expect(opening == .opened)
        #expect(try await opener.next() == "http://127.0.0.1:9091/?pass=it's")
    }

    @Test("A program that fails at once is said to have opened nothing")
    func failed() async throws {
        let opener = try AddressOpener(in: try TemporaryDirectory(), failingWith: 3)
        let environment = opener.environment.compactMapValues { $0 }
        let opening = await PageOpening.open("http://127.0.0.1:9091", environment: environment) { "x" }
        let program = try #require(environment["PATH"]?.split(separator: ":").first).appending("/xdg-open")
        let sentence = "The page was not opened (\(program) ended with 3); open its address in a browser."
        #expect(opening.sentence == sentence)
        withExtendedLifetime(opener) {}
    }

    @Test("A pass that cannot be had opens nothing, and is said")
    func refused() async throws {
        let opener = try AddressOpener(in: try TemporaryDirectory())
        let environment = opener.environment.compactMapValues { $0 }
        let opening = await PageOpening.open("http://127.0.0.1:9091", environment: environment) {
            throw InputError("the page is silent")
        }
        #expect(opening.sentence == "The page was not opened (the page is silent); open its address in a browser.")
        withExtendedLifetime(opener) {}
    }

    @Test("Without a display, or a program that opens addresses, no pass is made and a line says what helps")
    func without() async throws {
        for (environment, words) in [
            (
                ["PATH": "/usr/bin:/bin", "DISPLAY": ""],
                "There is no display here; after 'ssh -L 9091:127.0.0.1:9091 HOST'"
            ),
            (
                ["PATH": "/nowhere", "WAYLAND_DISPLAY": "wayland-0"],
                "No program here opens addresses, as xdg-open does;"
            ),
        ] {
            let opening = await PageOpening.open("http://127.0.0.1:9091", environment: environment) {
                Issue.record("a pass was made")
                return ""
            }
            #expect(opening.sentence.hasPrefix(words), "\(opening)")
        }
    }
    #endif

    @Test("start --open says how the page was opened, and three commands to go on with")
    func guide() throws {
        let options = try StartCommand.parse(["--store", "it's.db", "--ca-directory", "ca"]).options
        let instance = RunningInstance(
            listeners: [ListenMode(.explicit, host: "127.0.0.1", port: 9_090)],
            pageURL: "http://127.0.0.1:9091/?token=x",
            rootPEM: "",
            storePath: "it's.db"
        )
        var guide = StartGuide(options: options, instance: instance)
        #expect(guide.text.contains("\nthis shell    eval") && guide.text.contains("\ncurl          curl -x "))
        guide.opening = .opened
        let places = #"--store 'it'\''s.db' --ca-directory ca"#
        let next = """

            The page is open in your browser.

            Next, in another terminal:
            one command   inspect run \(places) -- curl https://example.com/
            a browser     inspect browser \(places)
            this shell    eval "$(inspect env \(places))"

            Ctrl-C stops.

            """
        #expect(guide.text.hasSuffix(next), "\(guide.text)")
        guide.isDetached = true
        #expect(guide.text.contains("\nNext:\none command") && guide.text.hasSuffix("\n'inspect stop' stops.\n"))
    }
}
