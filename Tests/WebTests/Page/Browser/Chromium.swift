import Foundation
import Support
import Synchronization

/// The one Chromium of a run, without a window, spoken to in the Chrome DevTools Protocol over a pair of pipes.
///
/// It is started for the first test that needs it. It ends with this process, whatever ends that: an exit kills it with all that it started, and
/// where this process is killed, the pipe that closes then makes it end by itself.
final class Chromium: Sendable {
    /// The answers of Chromium and the events that nobody asks for, as they come.
    let said = Watched(ChromiumSpeech())
    private let program: RunningProcess
    private let pipe: ChromiumPipe

    private static let current = Mutex<Chromium?>(nil)
    private static let endsAtExit: Void = {
        // Made before, so that it is removed after: what a handler adds later runs earlier.
        _ = HermeticEnvironment.home
        atexit { Chromium.current.withLock { $0 = nil } }
    }()

    /// The Chromium that runs, or a new one where none does, or no more.
    ///
    /// - Throws: `CommandLineTool.Missing` when it is not installed.
    static func running() throws -> Chromium {
        try current.withLock { current in
            if let chromium = current {
                if !chromium.said.value.isOver { return chromium }
                print("Chromium is started anew; the one before \(chromium.program.soFar)")
            }
            let chromium = try Chromium()
            current = chromium
            return chromium
        }
    }

    private init() throws {
        _ = Chromium.endsAtExit
        let folder = "\(HermeticEnvironment.home)/chromium-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        pipe = try ChromiumPipe(in: folder)
        // A script goes from place to place faster than any person, for which a browser holds it back.
        let arguments = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,800",
            "--disable-ipc-flooding-protection", "--remote-debugging-pipe", "--user-data-dir=\(folder)/profile",
            "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
            "--disable-component-update",
            "--disable-features=OptimizationHints,OptimizationGuideOnDeviceModel,Translate", "--disable-default-apps",
            "--disable-extensions", "--disable-sync",
            "--disable-hang-monitor", "--disable-breakpad", "--disable-crash-reporter", "--disable-popup-blocking",
            "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
            "--disable-backgrounding-occluded-windows", "--password-store=basic", "--use-mock-keychain", "about:blank",
        ]
        // It takes commands from its file 3 and answers in its file 4.
        program = try RunningProcess(
            "/bin/sh",
            ["-c", #"exec "$@" 3<"$0/commands" 4>"$0/answers""#, folder, try Self.file()]
                + arguments
        )
        let (said, pipe) = (said, pipe)
        Thread.detachNewThread {
            pipe.readAll { message in Chromium.hear(message, in: said, by: pipe) }
            said.update { $0.isOver = true }
        }
    }

    /// Chromium without what draws a window, at half the cost; the whole of it where that is not installed.
    private static func file() throws -> String {
        do { return try CommandLineTool.find("chromium-headless-shell") } catch is CommandLineTool.Missing {
            return try CommandLineTool.find("chromium")
        }
    }

    /// Ends it at once, with all that it started; the next test gets another.
    func end() async {
        said.update { $0.isOver = true }
        _ = try? await program.destroy()
    }

    /// Sends a command and waits for its answer.
    ///
    /// - Parameters:
    ///   - command: its name, such as `Page.navigate`.
    ///   - parameters: what JSON can hold.
    ///   - session: the page that it is for; none for Chromium itself.
    ///   - limit: how long the answer may take on a quiet machine.
    /// - Returns: the answer's `result`.
    /// - Throws: `Browser.Failure` when it is refused, in time not answered, or Chromium or the page has ended.
    func send(
        _ command: String,
        _ parameters: [String: Any] = [:],
        to session: String? = nil,
        within limit: Duration = .seconds(60)
    ) async throws -> [String: Any] {
        let id = said.update { $0.ask() }
        try pipe.write(ChromiumSpeech.command(command, parameters, id: id, to: session))
        do {
            _ = try await said.wait(for: "Chromium's answer to \(command)", within: limit) {
                $0.isAnswered(id) || $0.isOver || $0.isGone(session)
            }
        } catch let passed as DeadlinePassed {
            await end()
            throw Browser.Failure("\(passed); Chromium: \(program.soFar)")
        }
        guard let answer = said.update({ $0.takeAnswer(id) }) else {
            throw Browser.Failure(
                "\(command): " + (said.value.isOver ? "Chromium \(program.soFar)" : "the page crashed")
            )
        }
        let read = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        if let error = read?["error"] as? [String: Any] {
            throw Browser.Failure("\(command): \(error["message"] ?? error)")
        }
        return read?["result"] as? [String: Any] ?? [:]
    }

    /// Takes note of a message, on the thread that reads.
    private static func hear(_ message: Data, in said: Watched<ChromiumSpeech>, by pipe: ChromiumPipe) {
        guard let read = try? JSONSerialization.jsonObject(with: message) as? [String: Any] else { return }
        if let id = read["id"] as? Int {
            said.update { $0.answer(id, message) }
            return
        }
        // What has no session is of Chromium itself: that a page of ours was attached, too.
        guard let session = read["sessionId"] as? String, let event = ChromiumEvent(read) else { return }
        said.update { $0.take(event, of: session) }
        for (command, parameters, session) in event.replies(in: session) {
            let id = said.update { $0.number() }
            try? pipe.write(ChromiumSpeech.command(command, parameters, id: id, to: session))
        }
    }
}
