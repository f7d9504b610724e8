import Foundation
import Traffic

/// The URL of an archive's entry, split into the parts of the record.
struct ArchiveURL: Hashable {
    var scheme: Scheme?
    var host = ""
    var port = 0
    var target: String

    /// Reads a URL; with a scheme other than HTTP's or a WebSocket's, the whole URL is a target without a scheme.
    init(_ url: String) {
        target = url
        guard let colon = url.range(of: "://") else { return }
        let name = url[..<colon.lowerBound].lowercased()
        let rest = url[colon.upperBound...]
        let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        let bare = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.utf8.index(after: $0)...] }
        let scheme = Scheme(rawValue: name)
        guard scheme != nil || name == "tcp",
            let endpoint = Endpoint(authority: bare ?? authority, defaultPort: scheme?.defaultPort)
        else { return }
        (host, port) = (endpoint.host, endpoint.port)
        self.scheme = scheme
        guard scheme != nil else {
            target = endpoint.description
            return
        }
        let path = rest[end...].prefix { $0 != "#" }
        target = path.first == "/" ? String(path) : "/" + path
    }
}
