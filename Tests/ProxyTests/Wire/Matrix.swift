import Traffic

/// The protocol matrix: Python at both ends of a proxy, and what each end saw.
enum Matrix {
    /// One exchange of one pair of versions.
    struct Cell: Decodable {
        let `case`: String
        let client: String
        let upstream: String
        let port: Int
        let got: Got
        let seen: Seen

        var clientVersion: HTTPVersion { client == "h2" ? .http2 : .http11 }
        var upstreamVersion: HTTPVersion { upstream == "h2" ? .http2 : .http11 }
    }

    /// What the client got.
    struct Got: Decodable {
        let code: Int?
        let interim: [Int]
        let fields: [[String]]?
        let content: String
        let length: Int
        let sha: String
        let trailers: [[String]]?
        /// The code its stream was reset with; -1 for a connection that broke.
        let reset: Int?
        let ended: Bool?
    }

    /// What the origin saw.
    struct Seen: Decodable {
        let path: String?
        let authority: String?
        let cookie: [String]?
        let length: Int?
        let sha: String?
        let trailers: [[String]]?
        let reset: Int?
    }

    /// Plays every case in every pair of versions.
    static func play(through proxy: RunningProxy) async throws -> [Cell] {
        let arguments = [
            String(proxy.port), proxy.rootFile, Certificates.file("good.pem"), Certificates.file("good-key.pem"),
        ]
        return try await PythonPeer.run("matrix.py", arguments)
    }
}
