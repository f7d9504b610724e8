/// Something that Chromium says of a page by itself.
enum ChromiumEvent: Sendable {
    /// A document has loaded with all that is in it; its loader.
    case loaded(String)
    /// A line for the console.
    case line(String)
    /// A dialog is open, which holds up the page until it is answered.
    case dialog(line: String)
    /// A frame in a process of its own, or a worker; its session.
    case part(String)
    /// The page's process has ended.
    case crashed

    /// Reads an event; what the tests have no use for is nil.
    init?(_ message: [String: Any]) {
        let parameters = message["params"] as? [String: Any] ?? [:]
        switch message["method"] as? String {
        case "Page.lifecycleEvent" where parameters["name"] as? String == "load":
            self = .loaded(parameters["loaderId"] as? String ?? "")
        case "Log.entryAdded":
            let entry = parameters["entry"] as? [String: Any] ?? [:]
            self = .line("\(entry["level"] ?? "") \(entry["url"] ?? "") \(entry["text"] ?? "")")
        case "Runtime.consoleAPICalled":
            let values = parameters["args"] as? [[String: Any]] ?? []
            let words = values.map { "\($0["value"] ?? $0["description"] ?? "")" }
            self = .line("\(parameters["type"] ?? "") \(words.joined(separator: " "))")
        case "Runtime.exceptionThrown":
            let details = parameters["exceptionDetails"] as? [String: Any] ?? [:]
            self = .line("error \(details["url"] ?? "") \(Self.words(details))")
        case "Page.javascriptDialogOpening":
            self = .dialog(line: "a dialog opened: \(parameters["type"] ?? "") \(parameters["message"] ?? "")")
        case "Target.attachedToTarget":
            self = .part(parameters["sessionId"] as? String ?? "")
        case "Inspector.targetCrashed":
            self = .crashed
        default:
            return nil
        }
    }

    /// What an exception says.
    static func words(_ details: [String: Any]) -> String {
        let exception = details["exception"] as? [String: Any]
        return "\(exception?["description"] ?? exception?["value"] ?? details["text"] ?? "")"
    }

    /// What Chromium has to be told at once for the page to go on, with the session of each; the answers do not matter.
    func replies(in session: String) -> [(command: String, parameters: [String: Any], session: String)] {
        switch self {
        case .dialog:
            [("Page.handleJavaScriptDialog", ["accept": true], session)]
        case .part(let part):
            Self.listening.map { ($0.0, $0.1, part) } + [("Runtime.runIfWaitingForDebugger", [:], part)]
        case .loaded, .line, .crashed:
            []
        }
    }

    /// The commands that make a page, a frame or a worker tell what happens in it.
    static var listening: [(String, [String: Any])] {
        let parts: [String: Any] = ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
        return [("Runtime.enable", [:]), ("Log.enable", [:]), ("Target.setAutoAttach", parts)]
    }
}
