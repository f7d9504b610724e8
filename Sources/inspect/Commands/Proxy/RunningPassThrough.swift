import Foundation
import Traffic

/// The hosts that the running proxy of a store passes through, asked and changed over its API.
struct RunningPassThrough {
    /// A host of the list.
    struct Host: Codable {
        var host: String
        var added: Bool
    }

    private struct List: Codable { var hosts: [Host] }
    private struct Asked: Encodable { var host: String }

    private let client: InstanceClient

    /// - Throws: `InputError` when no proxy runs on the store.
    init(_ store: StoreOptions) throws {
        guard let instance = try InstanceFile.read(for: store.path) else {
            throw InputError(
                "no proxy is running on \(store.path); 'inspect start --pass-through HOST' begins with hosts that are left alone"
            )
        }
        client = InstanceClient(instance)
    }

    /// Every host of the list.
    func hosts() async throws -> [Host] { try await client.get("pass-through", as: List.self).hosts }

    /// Adds a host; returns the list after that.
    ///
    /// - Throws: `InputError` for a text that names no host.
    func add(_ host: String) async throws -> [Host] {
        try await client.post("pass-through", Asked(host: host), as: List.self).hosts
    }

    /// Removes a host.
    ///
    /// - Throws: `InputError` when the host is not on the list.
    func remove(_ host: String) async throws {
        try await client.delete("pass-through/\(PercentCoding.encoded(host.utf8, keeping: .word))")
    }
}
