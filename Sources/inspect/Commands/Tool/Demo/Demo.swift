import ServiceLifecycle
import Store
import Traffic

/// Runs the whole product on one machine: servers, proxy, page and the four clients' traffic; then says what the traffic tells and what to do next.
struct Demo: Sendable {
    /// How long the last rows may take to reach the store after their answers came.
    private static let recordLimit = Duration.seconds(10)
    private static let pollInterval = Duration.milliseconds(20)

    /// Whether to end after the traffic instead of serving on.
    let isOnce: Bool
    let colours: ColourChoice
    /// The rule that changes an answer of the run.
    let rule: DemoRule

    /// Runs it all; without `isOnce`, until the surrounding service group shuts down or the task is cancelled.
    ///
    /// - Parameter withProxy: runs the proxy, trusting the certificate it is given upstream.
    /// - Throws: why something cannot be started, and why a request or its record failed.
    func run(withProxy: @escaping RunningInstance.Runner) async throws {
        Demo.say("Starting the facility API over HTTPS and HTTP, the proxy and the page …")
        try await DemoOrigin.run { origin in
            try await withProxy(origin.certificatePEM) { instance in
                try await show(instance, origin)
            }
        }
    }

    private func show(_ instance: RunningInstance, _ origin: DemoOrigin) async throws {
        let store = try TrafficStore(path: instance.storePath, access: .reading)
        let before = try store.list(ListingQuery(limit: 1, countsFacets: false)).exchanges.first?.id ?? 0
        if let rules = instance.rulesSentence {
            Demo.say("\(rules); what changes the demonstration is in \(rule.path).")
        }
        Demo.say("Sending the requests of four apps through 127.0.0.1:\(instance.proxyPort) …")
        let answers = try await DemoTraffic(instance: instance, origin: origin).send { answer in
            Demo.say(
                "  \(answer.status.map(String.init) ?? " → ")  \(answer.method) \(answer.target)  (\(answer.client))"
            )
        }
        try await waitForRows(answers.count, after: before, in: store)
        let console = Console(colours: colours)
        try console.line()
        try FilterReport(ListingQuery(limit: Limit.standard.count), from: store).print(to: console)
        try console.line()
        let last = try store.list(ListingQuery(limit: 1, countsFacets: false)).exchanges.first?.id ?? before + 1
        let option = " --store \(ShellWord(instance.storePath))"
        let range = before + 1...max(last, before + 1)
        let story = try DemoStory(store, range, storeOption: option)
        let ruling = try DemoRuleStory(rule, store, range, comparing: story.changes, storeOption: option)
        for lines in [story.lines, ruling.lines] {
            for (place, line) in lines.enumerated() {
                try console.line(place == 0 ? console.style.paint(line, .bold) : line)
            }
        }
        let worthShowing = try Demo.errorAnswer(after: before, in: store) ?? before + 1
        for line in advice(instance, first: worthShowing, storeOption: option) { try console.line(line) }
        try console.flush()
        if !isOnce { try? await gracefulShutdown() }
    }

    /// Waits until the store holds as many ended exchanges as were answered; the tunnel's row comes after its close.
    private func waitForRows(_ count: Int, after id: ExchangeID, in store: TrafficStore) async throws {
        let deadline = ContinuousClock.now + Demo.recordLimit
        while ContinuousClock.now < deadline {
            let rows = try store.summaries(after: id, limit: count + 1).filter { $0.id > id && $0.outcome != .pending }
            if rows.count >= count { return }
            try await Task.sleep(for: Demo.pollInterval)
        }
        throw InputError("the store holds fewer exchanges than the \(count) that were sent")
    }

    /// The newest exchange of this run that was answered 404: its body is short and says something.
    private static func errorAnswer(after id: ExchangeID, in store: TrafficStore) throws -> ExchangeID? {
        var filter = Filter()
        filter.select(.exactly("404"), in: .code)
        let newest = try store.list(ListingQuery(filter: filter, limit: 1, countsFacets: false)).exchanges.first?.id
        return newest.flatMap { $0 > id ? $0 : nil }
    }

    private func advice(_ instance: RunningInstance, first: ExchangeID, storeOption store: String) -> [String] {
        var lines = [""]
        if let page = instance.pageURL, !isOnce { lines += ["See it in the browser: \(page)", ""] }
        lines += [
            isOnce ? "Try:" : "Try in another terminal:",
            "  inspect filter --code 500 --method GET\(store)",
            "  inspect show \(first)\(store)",
            "  inspect export --format har -o demo.har\(store)",
        ]
        if !isOnce { lines += ["", "Ctrl-C ends the demonstration; what it recorded stays in \(instance.storePath)."] }
        return lines
    }

    /// Tells how far it is, on standard error; standard output is for the result.
    private static func say(_ text: String) { Console.remark(text) }
}
