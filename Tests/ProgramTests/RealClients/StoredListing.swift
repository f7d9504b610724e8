import Foundation
import Support

/// A listing as scripts read it from `inspect filter --json`, by the design's contract and by none of our own code.
struct StoredListing: Decodable, Sendable {
    struct Count: Decodable, Sendable {
        let value: String
        let count: Int
        let selected: Bool
    }

    struct Failure: Decodable, Sendable {
        let side: String
        let phase: String
        let cause: String
        let message: String
        let retry: Bool
    }

    struct Row: Decodable, Sendable {
        let id: Int
        let method: String
        let scheme: String?
        let host: String
        let port: Int
        let target: String
        let code: Int?
        let requestBytes: Int
        let responseBytes: Int
        /// Of a stream, by side.
        let messageCounts: [String: Int]?
        let `protocol`: String?
        let upstreamProtocol: String?
        let process: String?
        let outcome: String
        let failure: Failure?
    }

    let total: Int
    let matched: Int
    let truncated: Bool
    let facets: [String: [Count]]
    let exchanges: [Row]

    /// A category's values with their counts, those of count 0 left out.
    func counts(_ facet: String) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: (facets[facet] ?? []).filter { $0.count > 0 }.map { ($0.value, $0.count) })
    }

    /// What `inspect filter --json` says of a directory's store.
    static func read(in directory: TemporaryDirectory, _ arguments: [String]) async throws -> StoredListing {
        let command = ["filter", "--json", "--store", RunningInspect.store(directory)] + arguments
        let listed = try await RunningInspect.run(command, in: directory)
        guard listed.status == 0 else { throw Unexpected("\(command): exit \(listed.status), \(listed.errors)") }
        return try JSONDecoder().decode(StoredListing.self, from: Data(listed.outputBytes))
    }
}

/// One exchange as scripts read it from `inspect show ID --json`.
struct StoredExchange: Decodable, Sendable {
    struct Message: Decodable, Sendable {
        struct Body: Decodable, Sendable {
            let size: Int
            let truncated: Bool
        }

        let head: String
        let headBase64: String?
        let sentHead: String?
        let body: Body

        /// The head as it came, byte for byte.
        var headBytes: [UInt8] {
            headBase64.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? Array(head.utf8)
        }
    }

    struct Connection: Decodable, Sendable {
        struct TLS: Decodable, Sendable {
            let version: String
            let serverName: String?
            let alpn: String?
            let certificates: [String]
        }

        let address: String
        let tls: TLS?
    }

    let outcome: String
    let replayOf: Int?
    let request: Message
    let response: Message?
    let clientConnection: Connection
    let upstreamConnection: Connection?
}
