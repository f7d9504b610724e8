import Foundation
import Store
import Traffic

/// The file beside a store that says which process writes it and how to speak to that process.
struct InstanceFile: Codable, Sendable {
    /// The process that runs the proxy.
    let pid: Int32
    /// One way in.
    struct Listener: Codable, Sendable {
        /// `explicit`, `socks5`, `transparent`, or `reverse:` and the upstream's URL.
        let mode: String
        /// `127.0.0.1:9090`, IPv6 in brackets.
        let address: String
    }

    /// Where the proxy listens: the first explicit listener's address, else the first one's.
    let proxy: String
    /// All the ways in.
    let listeners: [Listener]
    /// The page's address, without the token.
    let page: String
    /// The secret of the page and its API.
    let token: String
    /// The store's file, by a name that holds in every folder.
    let storePath: String
    /// When the instance was started, in microseconds since 1970; `nil` where its file does not say.
    var started: Int64?
    /// How long it waits for open exchanges when it is stopped.
    var drainSeconds: Int?
    /// The file that its log goes to.
    var log: String?
    /// The user and the password that its explicit listeners ask for, as a URL holds them.
    var login: String?
    /// The directory of the root that the instance signs with, as an absolute path; `nil` where its file does not say.
    var certificates: String?
    /// The files and directories of its rules, as absolute paths; `nil` where its file does not say.
    var rules: [String]?
    /// Whether the instance admits no client any more and waits for open exchanges; `nil` where its file does not say.
    var isStopping: Bool?
    /// Whether the instance ends with the command that began it and the commands that share it; `nil` where its file does not say.
    var isLent: Bool?

    /// The file that belongs to a store.
    static func path(for storePath: String) -> String { TrafficStore.file(named: storePath) + ".instance" }

    /// Writes it, readable by its owner only: it holds the token, and the login.
    ///
    /// A process that reads the file meanwhile finds the old file or this one, each whole.
    ///
    /// - Throws: `InputError` when it cannot be written; then the one before is there still.
    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let file = try OutputFile(InstanceFile.path(for: storePath))
        try file.write(Array(try encoder.encode(self)))
        try file.finish()
    }

    /// Says that no client is let in any more and what is open comes to its end: only who waits for that finds it from now on.
    ///
    /// Where that cannot be written, nobody finds it.
    func tellStopping() {
        var file = self
        file.isStopping = true
        do { try file.write() } catch { InstanceFile.remove(for: storePath) }
    }

    /// Removes it; only the process that holds the right to write the store may.
    static func remove(for storePath: String) { unlink(path(for: storePath)) }

    /// Whether its process writes the store.
    var isWriting: Bool { TrafficStore.writingProcess(at: storePath) == pid }

    /// The running instance of a store, which lets clients in; `nil` when none runs.
    ///
    /// - Throws: `InputError` when the file is there but says nothing, or is not ours to believe.
    static func read(for storePath: String) throws -> InstanceFile? {
        try readWriting(for: storePath).flatMap { $0.isStopping == true ? nil : $0 }
    }

    /// The instance that writes a store, even while it stops; `nil` when no instance does.
    ///
    /// A killed one leaves its file behind, and its number may be another process's by now, and its port another program's, which the token is
    /// not for: only the lock that the system lets go with the process says that it is there.
    ///
    /// - Throws: `InputError` when the file is there but says nothing, or is not ours to believe.
    static func readWriting(for storePath: String, user: uid_t = geteuid()) throws -> InstanceFile? {
        guard let bytes = try OwnFile(path(for: storePath), followsLinks: false).read(others: .mayNothing, user: user)
        else { return nil }
        guard let file = try? JSONDecoder().decode(InstanceFile.self, from: Data(bytes)) else {
            throw InputError("\(path(for: storePath)) cannot be read; remove it and start the proxy again")
        }
        return TrafficStore.writingProcess(at: storePath) == file.pid ? file : nil
    }
}
