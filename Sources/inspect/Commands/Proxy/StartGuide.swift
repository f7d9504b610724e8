import Proxy
import Traffic
import Trust

/// What `inspect start` says when it is ready: where everything is, and how to send traffic through it.
///
/// It is no `Report`: it goes to the console of whoever starts the proxy. `inspect status --json` tells programs the listeners, the page, the log and
/// the store.
struct StartGuide {
    let options: StartOptions
    let instance: RunningInstance
    /// The file that the log goes to; `nil` for standard error.
    var logPath: String?
    /// Whether it runs without a terminal.
    var isDetached = false
    /// How the page was opened; `nil` where nobody asked for that.
    var opening: PageOpening?
    /// Whether others may read it than whoever started the proxy: then it has no token.
    var isForOthers = false

    /// The lines, ended.
    var text: String {
        let root = options.authority.files.certificatePath
        var lines = warnings + instance.listeners.map(StartGuide.line)
        lines += [
            "page    \(page)", "store   \(instance.storePath)", "root    \(root)",
        ]
        if instance.ruleCount > 0 { lines.append("rules   \(instance.onRuleCount) of \(instance.ruleCount) on") }
        if let logPath { lines.append("log     \(logPath)") }
        lines.append("")
        if let opening { lines += [opening.sentence, ""] }
        if let explicit = instance.listeners.first(where: { $0.way == .explicit }) {
            let proxy = ProxyPlace(host: explicit.host, port: explicit.port).url
            // The password is not for a screen.
            let login = (try? options.listening.credentials()).map { " -U \(ShellWord($0.user)):PASSWORD" } ?? ""
            let steps = NextSteps(places: options.places).lines
            if opening != nil {
                return ended(lines + [isDetached ? "Next:" : "Next, in another terminal:"] + steps + [""])
            }
            lines += steps
            lines += [
                "curl          curl -x \(proxy)\(login) --cacert \(ShellWord(root)) https://example.com/",
                "this machine  set \(proxy) as the HTTP and HTTPS proxy, and trust the root as 'inspect ca' shows",
                phone(explicit),
                "",
            ]
        }
        return ended(lines, "Then: inspect filter   inspect tail   inspect show 1      ")
    }

    /// Lines with what ends the proxy behind them, on a line that may begin with more.
    private func ended(_ lines: [String], _ more: String = "") -> String {
        (lines + [more + (isDetached ? "'inspect stop' stops." : "Ctrl-C stops."), ""]).joined(separator: "\n")
    }

    private var page: String {
        guard let url = instance.pageURL else { return "none" }
        guard isForOthers else { return url }
        return url.prefix { $0 != "?" } + " (the link that opens it: inspect status\(options.storePlace))"
    }

    private var warnings: [String] {
        var lines: [String] = []
        if options.upstreams.insecureUpstream {
            lines += ["WARNING: --insecure-upstream accepts any upstream certificate: who answers is not checked.", ""]
        }
        let networks = (try? options.listening.networks()) ?? []
        let everyone = networks.isEmpty || networks.contains(where: \.isEveryone)
        let who = everyone ? "whoever reaches this port" : networks.map(\.description).joined(separator: ", ")
        for mode in instance.listeners where !mode.isLoopback {
            let login = asksLogin(mode) ? " after a login" : ""
            let start = everyone && login.isEmpty ? "WARNING: listening" : "listening"
            lines += ["\(start) on \(mode.place): \(who) can use the proxy\(login) and is recorded.", ""]
        }
        return lines
    }

    /// Whether clients of a listener show credentials.
    private func asksLogin(_ mode: ListenMode) -> Bool {
        let isGiven = (try? options.listening.credentials()) != nil
        return switch mode.way {
        case .explicit, .socks5(nil): isGiven
        case .socks5: true
        case .reverse, .transparent: false
        }
    }

    /// How a phone is set up: by the page that the proxy itself gives it.
    private func phone(_ explicit: ListenMode) -> String {
        guard !explicit.isLoopback else {
            return
                "a phone       start with --listen 0.0.0.0 and --proxy-auth or --allow-client, then open this machine's address on it"
        }
        let host = ["0.0.0.0", "::"].contains(explicit.host) ? OwnAddresses.all.first ?? explicit.host : explicit.host
        let place = ListenMode(.explicit, host: host, port: explicit.port).place
        return "a phone       open http://\(place)/ on it: that page has the certificate, the steps and a check"
    }

    /// A listener with what a client is given to come in by it.
    private static func line(_ mode: ListenMode) -> String {
        switch mode.way {
        case .explicit: "proxy   http://\(mode.place)"
        case .socks5: "socks5  socks5h://\(mode.place)"
        case .reverse(let scheme, let upstream):
            "reverse http://\(mode.place) and https://\(mode.place), for \(scheme.rawValue)://\(upstream)"
        case .transparent: "transparent \(mode.place), for connections that the firewall redirects"
        }
    }
}
