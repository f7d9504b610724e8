import Foundation
import Store
import Trust

/// Finds what works on the way of this user's traffic, and what keeps it from being captured.
///
/// It changes nothing, except that it sends one exchange, `/inspect-doctor`, through the running proxy to see it recorded.
struct Doctor: Sendable {
    /// Where the doctor looks, and the options that point the suggested commands to the same places.
    struct Places: Sendable {
        /// The path of the store with links followed, because a link has another size and may be on another disk.
        let storePath: String
        let files: TrustFiles
        /// The options that name these places, each with a blank before it; empty where the places are the default.
        let storeOption: String
        let authorityOption: String

        init(storePath: String, files: TrustFiles, storeOption: String = "", authorityOption: String = "") {
            self.storePath = TrafficStore.file(named: storePath)
            (self.files, self.storeOption, self.authorityOption) = (files, storeOption, authorityOption)
        }
    }

    let places: Places
    /// This process's variables, which every program of this shell gets too.
    let environment: [String: String]
    let now: Date

    /// Every part that is looked at, in the order in which to fix what is wrong.
    ///
    /// - Throws: what keeps a check from being made.
    func checks() async throws -> [DoctorCheck] {
        let (root, ofRoot) = root()
        let (running, ofProxy) = try await proxy(root)
        let until = root.map {
            "the root certificate is valid until \($0.notAfter.formatted(.iso8601.year().month().day()))"
        }
        let place = running.map { "the proxy answers at \(shown($0.proxy)) (process \($0.pid))" }
        var checks = [
            DoctorCheck(until, findings: ofRoot, isVital: root == nil),
            DoctorCheck(place, findings: ofProxy, isVital: true),
        ]
        if let running, ofProxy.isEmpty, let ofRequest = try await request(running) {
            let sentence = "the proxy passes a request on and records it"
            checks.append(DoctorCheck(sentence, findings: ofRequest, isVital: true))
        }
        if let running, ofProxy.isEmpty, let ofRules = await rules(running) { checks.append(ofRules) }
        checks.append(DoctorCheck(leadingVariables(running), findings: variables(running)))
        if let root { checks.append(try await trust(root)) }
        let isThere = FileManager.default.fileExists(atPath: places.storePath)
        let sentence = isThere ? "the store \(shown(places.storePath)) can be read and written" : nil
        return checks + [
            DoctorCheck(sentence, findings: store(running), isVital: true),
            DoctorCheck("the disk has room", findings: disk()), DoctorCheck(nil, findings: clock()),
        ]
    }

    /// A command of this program with the options for the same store and root, as far as the command takes them.
    func command(_ text: String) -> String {
        switch text.prefix(while: { $0 != " " }) {
        case "ca": "inspect \(text)\(places.authorityOption)"
        case "doctor", "start", "env": "inspect \(text)\(places.storeOption)\(places.authorityOption)"
        default: "inspect \(text)\(places.storeOption)"
        }
    }

    /// The commands that stop the proxy and start it again; the user has to repeat the options of its first start.
    var again: String { "\(command("stop")); \(command("start"))" }

    /// The command that corrects the variables of this shell.
    var setVariables: String { "eval \"$(\(command("env")))\"" }
}
