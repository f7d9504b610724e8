import Foundation
import Support
import Testing

/// A page of the program itself on a store of its own, and a browser that shows it.
struct PlacesPage: Sendable {
    /// A day as the page tells of it: with its year where that is not this one.
    static func day(_ day: String, of year: Int) -> String {
        Calendar(identifier: .gregorian).component(.year, from: Date()) == year ? day : "\(day) \(year)"
    }

    /// What is on the page.
    enum Ground {
        /// An empty store.
        case nothing
        /// The traffic of the demonstration, whose servers are gone.
        case recorded
        /// The traffic of the demonstration, with its servers, so that requests can be sent again.
        case running
    }

    let browser: Browser
    /// `http://127.0.0.1:41234`.
    let origin: String
    let storePath: String

    /// Starts the program and a browser on its page, runs the closure, and ends both; nothing may be in the console then.
    ///
    /// - Parameters:
    ///   - ground: what is on the page.
    ///   - prepare: what is done with the path of its store before.
    ///   - allows: lines of the console that belong to what is tested.
    ///   - body: the closure.
    /// - Throws: what the closures throw; when the program does not start.
    static func with(
        _ ground: Ground = .recorded,
        preparing prepare: (String) async throws -> Void = { _ in },
        allows: @escaping @Sendable (String) -> Bool = { _ in false },
        _ body: @escaping @Sendable (PlacesPage) async throws -> Void
    ) async throws {
        let home = try TemporaryDirectory()
        let storePath = home.file("captures.db")
        if ground == .recorded { try await RecordedDemo.shared.copy(to: storePath) }
        try await prepare(storePath)
        let program = try RunningProcess(
            try Executable.inspect(),
            [
                ground == .running ? "demo" : "start", "--port", "0", "--web-port", "0", "--store", storePath,
                "--ca-directory", home.file("ca"),
            ]
        )
        let line = try await program.line(containing: "/?token=", within: .seconds(60))
        let address = try #require(line.split(separator: " ").last { $0.contains("/?token=") }.map(String.init))
        let origin = try #require(address.split(separator: "/?").first.map(String.init))
        try await Browser.with { browser in
            try await browser.open(address)
            try await browser.wait(until: "document.querySelector('#places a')")
            try await body(PlacesPage(browser: browser, origin: origin, storePath: storePath))
            #expect(try await browser.console().filter { !allows($0) } == [])
        }
        _ = try await program.stop()
    }

    /// Opens a place of the page and waits for something of it.
    func open(_ path: String, until expression: String) async throws {
        try await browser.open(origin + path)
        try await browser.wait(until: expression)
    }

    /// What an expression that may wait comes to, as text; `page(path)` in it asks as the page does, `ask(path)` gets JSON of the API.
    func value(_ expression: String) async throws -> String {
        try await browser.result(
            of: """
                const headers = { Authorization: 'Bearer ' + JSON.parse(localStorage['inspect.key']), 'Content-Type': 'application/json' };
                const page = (path, options) => fetch(path, { headers, ...options });
                const ask = async (path) => (await page('/api/v1/' + path)).json();
                return (\(expression));
                """
        )
    }

    /// Types a text into a control, in place of what it holds.
    func write(_ text: String, into selector: String) async throws {
        _ = try await browser.run("const box = document.querySelector(`\(selector)`); box.focus(); box.select()")
        try await browser.type(text)
    }

    /// What of a part has no name that is read out: controls, links and pictures.
    func nameless(in selector: String) async throws -> String {
        try await browser.text(
            """
            [...document.querySelectorAll('\(selector) :is(button, a[href], input, select, textarea, [role=img], summary)')].filter((one) =>
              one.offsetParent !== null && !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length || one.title)).map((one) => one.outerHTML).join('; ')
            """
        )
    }

    /// Runs a command on the same store, for its JSON.
    func inspect(_ arguments: [String]) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(
            try Executable.inspect(),
            arguments + ["--json", "--store", storePath],
            environment: ["TZ": "UTC"]
        )
    }
}
