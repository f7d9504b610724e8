import Foundation
import Store
import Traffic

/// What `inspect` alone prints: whether a proxy runs, what is recorded, and the commands that a newcomer needs next.
///
/// It is no `Report`: a newcomer reads it. `inspect status --json` tells programs whether a proxy runs, where, and how many exchanges are recorded.
struct FirstScreen {
    /// Where the proxy that records into the store is, and its page with what opens it; `nil` where none runs.
    var running: (proxy: String, page: String)?
    /// Exchanges in the store.
    var count = 0
    /// The number of the newest exchange; `nil` where there is none.
    var newest: ExchangeID?
    /// Why the state of the store or of its proxy is unknown; `nil` where nothing is wrong.
    var problem: String?

    /// A screen of a store without exchanges, on which no proxy runs.
    init() {}

    /// Looks at a store, which need not be there, and at the proxy that records into it.
    init(storePath: String) {
        do {
            if let instance = try InstanceFile.read(for: storePath) {
                running = (instance.proxy, "\(instance.page)/?token=\(instance.token)")
            }
            guard FileManager.default.fileExists(atPath: storePath) else { return }
            let store = try TrafficStore(path: storePath, access: .reading)
            let listing = try store.list(ListingQuery(filter: Filter(), limit: 1, countsFacets: false))
            (count, newest) = (listing.total, listing.exchanges.first?.id)
            try store.close()
        } catch {
            problem = CommandFailure.sentence(error)
        }
    }

    /// The lines to print.
    func lines(_ style: Style) -> [String] {
        let steps = self.steps + [("", "")] + FirstScreen.ends
        let width = steps.map { TerminalCells.width($0.what) }.max() ?? 0
        return ["inspect records the HTTP(S) traffic of your apps; you filter, read, replay and export it.", ""] + state
            + [""]
            + steps.map { step in
                step.what.isEmpty
                    ? "" : TextColumns.padded(step.what, to: width) + "  " + style.paint(step.command, .cyan)
            }
    }

    /// What stands under every screen.
    private static let ends = [
        (what: "List all commands", command: "inspect help"), (what: "Read the manual", command: "inspect man"),
        (what: "Find what is wrong", command: "inspect doctor"),
    ]

    private var state: [String] {
        if let problem { return ["Something is wrong here: \(problem)."] }
        let recorded =
            count == 0
            ? "nothing is recorded yet" : count.counted("exchange is recorded", "exchanges are recorded")
        guard let running else { return ["No proxy runs, and \(recorded)."] }
        return ["A proxy runs on \(VisibleText.line(running.proxy)), and \(recorded).", "Its page: \(running.page)"]
    }

    private var steps: [(what: String, command: String)] {
        let open =
            running == nil
            ? (what: "Start the proxy and open its page", command: "inspect start --open")
            : (what: "Open its page", command: "inspect start --open")
        let shell =
            running == nil ? [] : [(what: "Send this shell through the proxy", command: "eval \"$(inspect env)\"")]
        let record = [(what: "Record one command", command: "inspect run -- curl https://example.com/")]
        guard let newest else {
            return [open, (what: "See what it does, by itself", command: "inspect demo")] + record + shell
        }
        return [
            open,
            (what: "Count and list what is recorded", command: "inspect filter"),
            (what: "List what failed", command: "inspect ls 'code:4xx,5xx or outcome:failed or is:failed-inside'"),
            (what: "Read the newest exchange", command: "inspect show \(newest)"),
        ] + record + shell
    }
}
