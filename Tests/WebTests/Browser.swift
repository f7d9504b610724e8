import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Support

/// Chromium without a window, driven over WebDriver (W3C WebDriver 2), for the length of a closure.
struct Browser: Sendable {
    private let client: TestClient
    private let session: String

    /// Starts chromedriver and a browser of its own, runs the closure, and ends both.
    ///
    /// - Throws: `CommandLineTool.Missing` when either program is not installed; what the closure throws.
    static func with<Value: Sendable>(_ body: @escaping @Sendable (Browser) async throws -> Value) async throws -> Value
    {
        let chromium = try CommandLineTool.find("chromium")
        let (driver, port) = try await startDriver()
        let value = try await TestClient.withClient(
            host: "127.0.0.1",
            port: port,
            configuration: .init(timeout: .seconds(60))
        ) { client in
            // A script goes from place to place faster than any person, for which a browser holds it back.
            let arguments = [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,800",
                "--disable-ipc-flooding-protection",
            ]
            let options: [String: Any] = ["binary": chromium, "args": arguments]
            let wanted: [String: Any] = [
                "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"],
            ]
            let answer = try await send(client, .post, "/session", ["capabilities": ["alwaysMatch": wanted]])
            guard let session = (answer as? [String: Any])?["sessionId"] as? String else {
                throw Failure("no session: \(answer)")
            }
            let browser = Browser(client: client, session: "/session/\(session)")
            let result: Result<Value, any Error>
            do { result = .success(try await body(browser)) } catch { result = .failure(error) }
            _ = try await send(client, .delete, browser.session, nil)
            return try result.get()
        }
        // Its browser has ended with the session; it itself may ignore a request to end.
        _ = try await driver.destroy()
        return value
    }

    /// Opens an address and waits until its document is loaded.
    func open(_ address: String) async throws {
        _ = try await Browser.send(client, .post, "\(session)/url", ["url": address])
    }

    /// Runs the body of a function in the page and returns what it returns, as JSON holds it.
    func run(_ script: String) async throws -> Any {
        try await Browser.send(client, .post, "\(session)/execute/sync", ["script": script, "args": [String]()])
    }

    /// Waits in the page until an expression is true there.
    ///
    /// - Throws: `Failure` with what the page shows when the limit passes.
    func wait(until expression: String, within seconds: Int = 15) async throws {
        let script = """
            const done = arguments[arguments.length - 1];
            const end = performance.now() + \(seconds * 1_000);
            const look = () => {
              let isTrue = false;
              try { isTrue = Boolean(\(expression)); } catch { }
              if (isTrue) done("");
              else if (performance.now() > end) done("the page shows: " + document.body.innerText.slice(0, 2000));
              else setTimeout(look, 10);
            };
            look();
            """
        _ = try await Browser.send(client, .post, "\(session)/timeouts", ["script": (seconds + 5) * 1_000])
        let answer = try await Browser.send(
            client,
            .post,
            "\(session)/execute/async",
            ["script": script, "args": [String]()]
        )
        guard let said = answer as? String, said.isEmpty else { throw Failure("waited for \(expression); \(answer)") }
    }

    /// Runs the body of an async function in the page and returns what it comes to, as text.
    ///
    /// - Throws: `Failure` with what it threw, or when the limit passes.
    func result(of script: String, within seconds: Int = 55) async throws -> String {
        let whole = """
            const done = arguments[arguments.length - 1];
            (async () => { \(script) })().then((value) => done(["", String(value ?? "")]), (error) => done([String(error), ""]));
            """
        _ = try await Browser.send(client, .post, "\(session)/timeouts", ["script": seconds * 1_000])
        let answer = try await Browser.send(
            client,
            .post,
            "\(session)/execute/async",
            ["script": whole, "args": [String]()]
        )
        guard let told = answer as? [String], told.count == 2, told[0].isEmpty else { throw Failure("\(answer)") }
        return told[1]
    }

    /// The window as a picture, PNG.
    func screenshot() async throws -> Data {
        let answer = try await Browser.send(client, .get, "\(session)/screenshot", nil)
        guard let picture = (answer as? String).flatMap({ Data(base64Encoded: $0) }) else {
            throw Failure("no picture: \(answer)")
        }
        return picture
    }

    /// What the page and the browser wrote to the console since the last call.
    func console() async throws -> [String] {
        let answer = try await Browser.send(client, .post, "\(session)/se/log", ["type": "browser"])
        return (answer as? [[String: Any]] ?? []).map { "\($0["level"] ?? "") \($0["message"] ?? "")" }
    }

    /// Sends a command of the session.
    func post(_ command: String, _ body: [String: Any]) async throws {
        _ = try await Browser.send(client, .post, "\(session)/\(command)", body)
    }

    /// Runs a command of the Chrome DevTools Protocol.
    func devTools(_ command: String, _ parameters: [String: Any]) async throws {
        try await post("goog/cdp/execute", ["cmd": command, "params": parameters])
    }

    /// What went wrong in the browser or on the way to it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Starts chromedriver on a port that is free.
    ///
    /// It takes any free port of `::1` and then the same one of `127.0.0.1`, where a connection of an earlier test may still have
    /// it; for that it gives up, and is started anew, ten times at most.
    private static func startDriver() async throws -> (RunningProcess, port: Int) {
        let path = try CommandLineTool.find("chromedriver")
        var triesLeft = 10
        while true {
            triesLeft -= 1
            let driver = try RunningProcess(path, ["--port=0"])
            do {
                let line = try await driver.line(containing: "started successfully on port")
                guard let port = line.matches(of: /\d+/).last.flatMap({ Int($0.output) }) else {
                    throw Failure("no port in: \(line)")
                }
                return (driver, port)
            } catch let ended as EndedEarly where triesLeft > 0 && "\(ended)".contains("port not available") {
                continue
            }
        }
    }

    private static func send(_ client: TestClient, _ method: HTTPRequest.Method, _ path: String, _ body: [String: Any]?)
        async throws -> Any
    {
        let bytes = try body.map { ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: $0)) }
        let request = TestClient.Request(
            path,
            method: method,
            authority: "localhost",
            headers: [.contentType: "application/json"],
            body: bytes
        )
        let response = try await client.execute(request)
        let data = Data(response.body.map { Array($0.readableBytesView) } ?? [])
        guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any], let value = object["value"]
        else {
            throw Failure("WebDriver answered \(String(decoding: data, as: UTF8.self))")
        }
        if let error = (value as? [String: Any])?["error"] as? String {
            throw Failure("\(error): \((value as? [String: Any])?["message"] ?? "")")
        }
        return value
    }
}
