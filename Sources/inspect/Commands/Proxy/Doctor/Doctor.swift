import Foundation
import Store
import Trust

/// Finds what keeps this user's traffic from being captured.
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

    /// Everything that is wrong, in the order in which to fix it.
    ///
    /// - Throws: what keeps a check from being made.
    func findings() async throws -> [DoctorFinding] {
        let (root, ofRoot) = root()
        let (running, ofProxy) = try await proxy(root)
        var findings = ofRoot + ofProxy
        if let running, ofProxy.isEmpty { findings += try await request(running) }
        findings += variables(running)
        if let root { findings += try await trust(root) }
        return findings + store(running) + disk() + clock()
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
