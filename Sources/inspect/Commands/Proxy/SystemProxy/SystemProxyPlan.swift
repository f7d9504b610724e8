import Traffic

/// The changes to the system's settings that send its programs through a proxy.
struct SystemProxyPlan: Sendable {
    static let gnomeSchema = "org.gnome.system.proxy"

    /// A setting and its new value.
    struct Step: Sendable, Hashable {
        var setting: SystemSetting
        var value: String
    }

    /// The steps, in an order in which the last one switches the proxy on.
    let steps: [Step]
    /// What the steps mean for a person, a line each.
    let notes: [String]

    init(steps: [Step], notes: [String]) { (self.steps, self.notes) = (steps, notes) }

    /// - Parameters:
    ///   - proxy: the address by which this machine reaches the proxy.
    ///   - isAutomatic: whether programs ask the proxy's script which hosts go through it.
    ///   - kinds: the places to change; `nil` for all that this system has.
    ///   - tools: the system.
    /// - Throws: `InputError` when the system lacks a named place, or has no place at all.
    init(proxy: Endpoint, isAutomatic: Bool, kinds: [SystemProxyKind]?, tools: SystemTools) throws {
        let isLinux = !tools.hasNetworkServices
        let all: [SystemProxyKind] =
            (tools.hasGNOME ? [.gnome] : []) + (isLinux && !isAutomatic ? [.environment] : [])
            + (isLinux ? [] : [.macos])
        let script = "http://\(proxy)/proxy.pac"
        var (steps, notes): ([Step], [String]) = ([], [])
        for kind in kinds ?? all {
            switch kind {
            case .gnome:
                steps += Self.gnome(proxy, isAutomatic ? script : nil)
                notes.append("GNOME: programs that follow its settings go through \(isAutomatic ? script : "\(proxy)")")
            case .environment:
                guard !isAutomatic else {
                    throw InputError("--only environment has no place for a script; leave out --pac, or the place")
                }
                let file = tools.configuration + "/environment.d/90-inspect-proxy.conf"
                steps += Self.environment(proxy, file: file, tools)
                notes.append("environment.d: \(file) holds for what systemd starts after the next login")
            case .macos:
                // A system without networksetup can still show the commands.
                let services = tools.hasNetworkServices ? try tools.networkServices() : ["Wi-Fi"]
                steps += services.flatMap { Self.network($0, proxy, isAutomatic ? script : nil) }
                notes.append("macOS: \(services.joined(separator: ", "))")
            }
        }
        guard !steps.isEmpty else {
            throw InputError("this system has no settings for a proxy that inspect knows; set them by hand")
        }
        self.init(steps: steps, notes: notes)
    }

    private static func gnome(_ proxy: Endpoint, _ script: String?) -> [Step] {
        func step(_ part: String, _ key: String, _ value: String) -> Step {
            Step(setting: .gnome(schema: gnomeSchema + part, key: key), value: value)
        }
        if let script { return [step("", "autoconfig-url", "'\(script)'"), step("", "mode", "'auto'")] }
        let places = [".http", ".https"].flatMap {
            [step($0, "host", "'\(proxy.host)'"), step($0, "port", "\(proxy.port)")]
        }
        return places + [step("", "mode", "'manual'")]
    }

    private static func environment(_ proxy: Endpoint, file: String, _ tools: SystemTools) -> [Step] {
        let near = "localhost,127.0.0.1,::1"
        let variables = [
            "http_proxy=http://\(proxy)", "https_proxy=http://\(proxy)", "HTTP_PROXY=http://\(proxy)",
            "HTTPS_PROXY=http://\(proxy)", "no_proxy=\(near)", "NO_PROXY=\(near)",
        ]
        let text = (["# Of a running 'inspect start'; 'inspect system-proxy off' takes it away."] + variables)
            .joined(separator: "\n")
        return [
            Step(setting: .folder(path: tools.configuration), value: ""),
            Step(setting: .folder(path: tools.configuration + "/environment.d"), value: ""),
            Step(setting: .file(path: file), value: text + "\n"),
        ]
    }

    private static func network(_ service: String, _ proxy: Endpoint, _ script: String?) -> [Step] {
        if let script { return [Step(setting: .network(service: service, kind: .automatic), value: "on \(script)")] }
        return [NetworkProxyKind.web, .secureWeb].map {
            Step(setting: .network(service: service, kind: $0), value: "on \(proxy.host) \(proxy.port)")
        }
    }
}
