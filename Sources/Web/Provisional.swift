import Foundation
import NIOCore
import Traffic

struct ExchangeRowJSON: Encodable {
    let s: ExchangeSummary
    init(_ s: ExchangeSummary) { self.s = s }
    enum K: String, CodingKey { case id, started, durationMs, method, scheme, host, port, target, code, type, requestBytes, responseBytes, `protocol`, upstreamProtocol, client, process, outcome, failure, replayOf }
    func encode(to e: any Encoder) throws {
        var c = e.container(keyedBy: K.self)
        let f = ISO8601DateFormatter(); f.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        try c.encode(s.id, forKey: .id)
        try c.encode(f.string(from: Date(timeIntervalSince1970: Double(s.started) / 1e6)), forKey: .started)
        try c.encode(s.duration.map { Double($0) / 1000 }, forKey: .durationMs)
        try c.encode(s.method, forKey: .method); try c.encode(s.scheme, forKey: .scheme); try c.encode(s.host, forKey: .host)
        try c.encode(s.port, forKey: .port); try c.encode(s.target, forKey: .target); try c.encode(s.code, forKey: .code)
        try c.encode(s.mediaType, forKey: .type); try c.encode(s.requestBytes, forKey: .requestBytes)
        try c.encode(s.responseBytes, forKey: .responseBytes); try c.encode(s.version, forKey: .protocol)
        try c.encode(s.upstreamVersion, forKey: .upstreamProtocol); try c.encode(s.clientName, forKey: .client)
        try c.encode(s.process, forKey: .process); try c.encode(s.outcome, forKey: .outcome); try c.encode(s.failure, forKey: .failure)
        try c.encode(s.replayOf, forKey: .replayOf)
    }
}
struct ListingJSON: Encodable {
    let total: Int, matched: Int, truncated: Bool, next: String?
    let facets: [String: [FacetCount]]
    let exchanges: [ExchangeRowJSON]
    init(_ l: Listing) {
        total = l.total; matched = l.matched; truncated = l.isTruncated; next = l.next.map(String.init)
        facets = Dictionary(uniqueKeysWithValues: l.facets.map { ($0.facet.name, $0.values) })
        exchanges = l.exchanges.map(ExchangeRowJSON.init)
    }
}
struct ExchangeJSON: Encodable {
    let x: Exchange
    init(_ x: Exchange) { self.x = x }
    func encode(to e: any Encoder) throws { try ExchangeRowJSON(x.summary).encode(to: e) }
}
