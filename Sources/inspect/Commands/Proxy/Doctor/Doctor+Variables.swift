import Foundation
import Trust

extension Doctor {
    /// Finds variables of this shell that contradict each other, or send programs elsewhere.
    ///
    /// A shell without such variables is fine: its programs may get their proxy from the system, or from `inspect run`.
    func variables(_ running: InstanceFile?) -> [DoctorFinding] {
        let problems = fights + (running.map(strays) ?? []) + roots
        return problems.map { DoctorFinding($0, mend: setVariables) }
    }

    /// What works where the variables of this shell are set and none is wrong; `nil` where none does, or the proxy is none that a variable can lead to.
    func leadingVariables(_ running: InstanceFile?) -> String? {
        let isSet = ["https_proxy", "HTTPS_PROXY"].contains { !(environment[$0] ?? "").isEmpty }
        // Of a proxy that no variable can lead to nobody has looked where they lead.
        guard let running, isSet, (try? ProxyPlace(explicitOf: running)) != nil else { return nil }
        return "the variables of this shell lead to the proxy"
    }

    /// Finds two spellings of one variable with different values; a program reads either spelling.
    private var fights: [String] {
        ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].compactMap { name in
            guard let small = environment[name], let capital = environment[name.uppercased()], small != capital else {
                return nil
            }
            return
                "\(name) is “\(shown(small))” and \(name.uppercased()) “\(shown(capital))”: some programs read the one, some the other"
        }
    }

    /// Finds the variables that send requests past the running proxy.
    private func strays(_ running: InstanceFile) -> [String] {
        guard let place = try? ProxyPlace(explicitOf: running) else { return [] }
        let names = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].filter {
            !(environment[$0] ?? "").isEmpty
        }
        guard !names.isEmpty else { return [] }
        let elsewhere = names.compactMap { name -> String? in
            let value = environment[name] ?? ""
            guard !leads(value, to: place) else { return nil }
            return "\(name) is “\(shown(value))”, and the proxy is at http://\(place.authority)"
        }
        let isSecureSet = names.contains { $0.lowercased() == "https_proxy" }
        let missing = isSecureSet ? [] : ["http_proxy is set and https_proxy is not: HTTPS goes past the proxy"]
        let kept = ["no_proxy", "NO_PROXY"].first { !(environment[$0] ?? "").isEmpty }
        let past = kept.map { "\($0) keeps “\(shown(environment[$0] ?? ""))” from the proxy" }
        return elsewhere + missing + [past].compactMap { $0 }
    }

    private func leads(_ value: String, to place: ProxyPlace) -> Bool {
        let text = value.contains("://") ? value : "http://" + value
        guard let url = URLComponents(string: text), url.scheme?.lowercased() == "http", let host = url.host else {
            return false
        }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let loopback: Set<String> = ["127.0.0.1", "::1", "localhost"]
        let isSame = bare == place.host || (loopback.contains(bare) && loopback.contains(place.host))
        return isSame && (url.port ?? 80) == place.port
    }

    /// Finds variables that name a file of roots which does not exist or lacks our root.
    private var roots: [String] {
        let pem = FileManager.default.contents(atPath: places.files.certificatePath)
            .map { String(decoding: $0, as: UTF8.self) }
        let named = ClientRecipe.rootVariables.map(\.name).filter { !(environment[$0] ?? "").isEmpty }
        let paths = Dictionary(grouping: named) { environment[$0] ?? "" }
        return paths.sorted { $0.key < $1.key }.compactMap { path, names in
            let who = names.joined(separator: ", ") + (names.count == 1 ? " names" : " name")
            guard FileManager.default.isReadableFile(atPath: path) else {
                return "\(who) \(shown(path)), which cannot be read"
            }
            guard let pem, !PEMFile(path: path).holds(pem) else { return nil }
            return "\(who) \(shown(path)), which lacks the root"
        }
    }
}
