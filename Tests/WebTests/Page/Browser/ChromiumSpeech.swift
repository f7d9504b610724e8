import Foundation

/// What Chromium has said so far that somebody still has to hear.
struct ChromiumSpeech: Sendable, CustomStringConvertible {
    /// What is known of a page.
    private struct Page: Sendable {
        /// The loaders of the documents that are there.
        var loaded: Set<String> = []
        var lines: [String] = []
        var isGone = false
    }

    /// Whether Chromium has ended.
    var isOver = false
    private var lastID = 0
    /// Commands that somebody waits for.
    private var asked: Set<Int> = []
    private var answers: [Int: Data] = [:]
    /// By session.
    private var pages: [String: Page] = [:]
    /// The session of the page that a frame or a worker with a session of its own belongs to.
    private var pageOfPart: [String: String] = [:]

    var description: String { "\(asked.count) commands without an answer\(isOver ? ", and Chromium has ended" : "")" }

    /// A command as it is sent.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - parameters: what JSON can hold.
    ///   - id: what its answer carries.
    ///   - session: the page that it is for; none for Chromium itself.
    /// - Returns: its JSON.
    /// - Throws: when the parameters are no JSON.
    static func command(_ name: String, _ parameters: [String: Any], id: Int, to session: String?) throws -> Data {
        var command: [String: Any] = ["id": id, "method": name, "params": parameters]
        if let session { command["sessionId"] = session }
        return try JSONSerialization.data(withJSONObject: command)
    }

    /// Takes a number for a command, whose answer nobody waits for.
    mutating func number() -> Int {
        lastID += 1
        return lastID
    }

    /// Takes a number for a command that somebody will wait for.
    mutating func ask() -> Int {
        let id = number()
        asked.insert(id)
        return id
    }

    /// Takes an answer, where anybody waits for it.
    mutating func answer(_ id: Int, _ message: Data) {
        if asked.remove(id) != nil { answers[id] = message }
    }

    /// Whether the answer is there.
    func isAnswered(_ id: Int) -> Bool { answers[id] != nil }

    /// The answer, where it is there; nobody waits for it any more.
    mutating func takeAnswer(_ id: Int) -> Data? {
        asked.remove(id)
        return answers.removeValue(forKey: id)
    }

    /// Follows a page from now on.
    mutating func follow(_ session: String) { pages[session] = Page() }

    /// Forgets a page that was closed.
    mutating func forget(_ session: String) {
        pages[session] = nil
        pageOfPart = pageOfPart.filter { $0.value != session }
    }

    /// Takes an event of a page, or of a part of one.
    mutating func take(_ event: ChromiumEvent, of session: String) {
        let page = pageOfPart[session] ?? session
        switch event {
        case .loaded(let loader): pages[page]?.loaded.insert(loader)
        case .line(let line), .dialog(let line): pages[page]?.lines.append(line)
        case .part(let part): pageOfPart[part] = page
        case .crashed: pages[page]?.isGone = true
        }
    }

    /// Whether a page has loaded a document.
    func hasLoaded(_ loader: String, in session: String) -> Bool { pages[session]?.loaded.contains(loader) == true }

    /// Whether a page's process has ended.
    func isGone(_ session: String?) -> Bool { session.flatMap { pages[$0] }?.isGone == true }

    /// The lines of a page's console since the last call.
    mutating func takeLines(of session: String) -> [String] {
        defer { pages[session]?.lines = [] }
        return pages[session]?.lines ?? []
    }
}
