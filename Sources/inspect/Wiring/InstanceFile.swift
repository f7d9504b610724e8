import Foundation
import Store

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
    /// The store.
    let storePath: String
    /// When it was started, microseconds since 1970; `nil` of one that does not say.
    var started: Int64?
    /// How long it waits for open exchanges when it is stopped.
    var drainSeconds: Int?
    /// The file that its log goes to.
    var log: String?
    /// The user and the password that its explicit listeners ask for, as a URL holds them.
    var login: String?

    /// The file that belongs to a store.
    static func path(for storePath: String) -> String { storePath + ".instance" }

    /// Writes it, readable by its owner only: it holds the token, and the login.
    ///
    /// - Throws: `InputError` when it cannot be written.
    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let path = InstanceFile.path(for: storePath)
        let bytes = try encoder.encode(self)
        try? FileManager.default.removeItem(atPath: path)
        guard FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
        else {
            throw InputError("cannot write \(path)")
        }
    }

    /// Removes it, if it is still this process's.
    func remove() {
        let path = InstanceFile.path(for: storePath)
        if (try? InstanceFile.read(for: storePath))?.pid == pid { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Whether its process writes the store, and is not merely one that has been given the number of another.
    var isWriting: Bool { TrafficStore.writingProcess(at: storePath) == pid }

    /// The running instance of a store; `nil` when none runs.
    ///
    /// - Throws: `InputError` when the file is there but says nothing.
    static func read(for storePath: String) throws -> InstanceFile? {
        guard let bytes = FileManager.default.contents(atPath: path(for: storePath)) else { return nil }
        guard let file = try? JSONDecoder().decode(InstanceFile.self, from: bytes) else {
            throw InputError("\(path(for: storePath)) cannot be read; remove it and start the proxy again")
        }
        // A signal of 0 asks only whether the process is there: a killed one leaves its file behind.
        return kill(file.pid, 0) == 0 || errno == EPERM ? file : nil
    }
}
