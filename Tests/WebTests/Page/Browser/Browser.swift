import Foundation
import Support

/// A page in a browser that is as new: no cookies, no storage, no cache and no console of anybody else, for the length of a closure.
struct Browser: Sendable {
    private let chromium: Chromium
    /// What the page shares with nobody.
    private let context: String
    private let session: String

    /// Opens a page of its own in the Chromium of this run, runs the closure, and closes the page.
    ///
    /// - Throws: `CommandLineTool.Missing` when Chromium is not installed; what the closure throws; `Failure`.
    static func with<Value: Sendable>(_ body: @escaping @Sendable (Browser) async throws -> Value) async throws -> Value
    {
        let chromium = try Chromium.running()
        let made = try await chromium.send("Target.createBrowserContext", ["disposeOnDetach": true])
        let browser = try await Browser(in: chromium, context: made["browserContextId"] as? String ?? "")
        let result: Result<Value, any Error>
        do { result = .success(try await body(browser)) } catch { result = .failure(error) }
        do { try await browser.close() } catch {
            // Nothing of it may meet the next test.
            await chromium.end()
            _ = try result.get()
            throw error
        }
        return try result.get()
    }

    /// Opens other windows of the same browser, in sight as the first is, and runs the closure; they close with the first.
    ///
    /// - Throws: what the closure throws; `Failure`.
    func withOthers<Value: Sendable>(_ count: Int, _ body: ([Browser]) async throws -> Value) async throws -> Value {
        var others: [Browser] = []
        defer { for other in others { chromium.said.update { $0.forget(other.session) } } }
        for _ in 0..<count { others.append(try await Browser(in: chromium, context: context)) }
        return try await body(others)
    }

    private init(in chromium: Chromium, context: String) async throws {
        self.chromium = chromium
        self.context = context
        let page = try await chromium.send(
            "Target.createTarget",
            ["url": "about:blank", "browserContextId": context, "newWindow": true]
        )
        let attached = try await chromium.send(
            "Target.attachToTarget",
            ["targetId": page["targetId"] as? String ?? "", "flatten": true]
        )
        session = attached["sessionId"] as? String ?? ""
        let session = session
        chromium.said.update { $0.follow(session) }
        try await devTools("Page.enable", [:])
        try await devTools("Page.setLifecycleEventsEnabled", ["enabled": true])
        try await devTools("Emulation.setFocusEmulationEnabled", ["enabled": true])
        for (command, parameters) in ChromiumEvent.listening { try await devTools(command, parameters) }
    }

    private func close() async throws {
        _ = try await chromium.send("Target.disposeBrowserContext", ["browserContextId": context])
        let session = session
        chromium.said.update { $0.forget(session) }
    }

    /// Opens an address and waits until its document is loaded, with all that is in it.
    func open(_ address: String) async throws {
        let answer = try await devTools("Page.navigate", ["url": address])
        if let text = answer["errorText"] as? String, !text.isEmpty { throw Failure("\(address): \(text)") }
        // Another place in the same document has no loader.
        guard let loader = answer["loaderId"] as? String else { return }
        let session = session
        let said = try await chromium.said.wait(for: "\(address) to load", within: .seconds(60)) {
            $0.hasLoaded(loader, in: session) || $0.isOver || $0.isGone(session)
        }
        guard said.hasLoaded(loader, in: session) else { throw Failure("\(address): Chromium or the page ended") }
    }

    /// A function that scripts can call: the address of one of the page's files by its name, beside the files that the document names.
    private static let asset =
        "const asset = (name) => document.querySelector('script[src$=\"/app.js\"]').src.replace('app.js', name);"

    /// Runs the body of a function in the page and returns what it returns or promises, as JSON holds it.
    @discardableResult
    func run(_ script: String) async throws -> Any {
        try await evaluate("(() => {\n\(Self.asset)\n\(script)\n})()")
    }

    /// Waits in the page until an expression is true there, whatever document comes meanwhile.
    ///
    /// - Parameters:
    ///   - expression: the expression; where it throws it is not true yet.
    ///   - seconds: how long on a quiet machine.
    /// - Throws: `Failure` with what the page shows when the limit passes.
    func wait(until expression: String, within seconds: Int = 15) async throws {
        let limit = Patience.seconds(seconds)
        let script = """
            new Promise((done) => {
              const end = performance.now() + \(limit * 1_000);
              const look = () => {
                let isTrue = false;
                try { isTrue = Boolean(\(expression)); } catch { }
                if (isTrue) done("");
                else if (performance.now() > end) done("the page shows: " + document.body.innerText.slice(0, 2000));
                else setTimeout(look, 10);
              };
              look();
            })
            """
        let end = ContinuousClock.now + .seconds(limit)
        while true {
            do {
                let answer = try await evaluate(script, within: .seconds(seconds + 60))
                guard let said = answer as? String, said.isEmpty else {
                    throw Failure("waited for \(expression); \(answer)")
                }
                return
            } catch let failure as Failure where failure.isOfLeaving && ContinuousClock.now < end {
                continue
            }
        }
    }

    /// Runs the body of an async function in the page and returns what it comes to, as text.
    ///
    /// - Parameters:
    ///   - script: the body.
    ///   - seconds: how long on a quiet machine.
    /// - Returns: the text.
    /// - Throws: `Failure` with what it threw, or when the limit passes.
    func result(of script: String, within seconds: Int = 120) async throws -> String {
        let answer = try await evaluate(
            "(async () => {\n\(Self.asset)\n\(script)\n})().then((value) => String(value ?? ''))",
            within: .seconds(seconds)
        )
        return answer as? String ?? ""
    }

    /// The window as a picture, PNG.
    func screenshot() async throws -> Data {
        let answer = try await devTools("Page.captureScreenshot", ["format": "png"])
        guard let picture = (answer["data"] as? String).flatMap({ Data(base64Encoded: $0) }) else {
            throw Failure("no picture: \(answer)")
        }
        return picture
    }

    /// What the page, its frames and the browser wrote to the console since the last call, and the dialogs that opened.
    ///
    /// That the browser emptied its cache, as the answer with the key asks it to, is left out.
    func console() async throws -> [String] {
        // What was written before the answer has been heard with it.
        _ = try await evaluate("0")
        let session = session
        return chromium.said.update { $0.takeLines(of: session) }
            .filter { !$0.hasPrefix("info ") || !$0.contains("Clear-Site-Data header on ") }
    }

    /// Runs a command of the Chrome DevTools Protocol on the page.
    @discardableResult
    func devTools(_ command: String, _ parameters: [String: Any]) async throws -> [String: Any] {
        try await chromium.send(command, parameters, to: session)
    }

    /// What an expression of the page comes to, awaited.
    private func evaluate(_ expression: String, within limit: Duration = .seconds(60)) async throws -> Any {
        let answer = try await chromium.send(
            "Runtime.evaluate",
            ["expression": expression, "awaitPromise": true, "returnByValue": true],
            to: session,
            within: limit
        )
        if let details = answer["exceptionDetails"] as? [String: Any] { throw Failure(ChromiumEvent.words(details)) }
        return (answer["result"] as? [String: Any])?["value"] ?? NSNull()
    }

    /// What went wrong in the browser or on the way to it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }

        /// Whether the document was left while a script ran in it.
        fileprivate var isOfLeaving: Bool {
            ["navigated or closed", "context was destroyed", "Cannot find default execution context"].contains {
                description.contains($0)
            }
        }
    }
}
