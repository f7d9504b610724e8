import Foundation
import Lenses
import NIOCore
import Store
import Traffic

/// What lenses read, with payloads in the place of its words: answers of the demonstration, written anew.
///
/// What a lens needs to know an answer by (numbers, times, identities, kinds) stays; every other text is a payload, each another.
struct HostileLensCapture {
    /// The copies of each lens's answers, by the lens.
    private(set) var copies: [String: [ExchangeID]] = [:]
    private let payloads: [String]
    private var next = 0

    /// Members that say what a thing is.
    private static let kept: Set<String> = [
        "id", "slug", "recordName", "recordType", "type", "fieldName", "time_zone", "state", "package_id",
        "resource_id", "ownerRecordName",
    ]

    /// Takes the demonstration's store, and records copies of its answers in it.
    ///
    /// - Parameters:
    ///   - payloads: the texts.
    ///   - copyCount: copies of each answer, with other payloads in each.
    ///   - path: where the store is to be.
    /// - Throws: when the demonstration fails, and what the store throws.
    init(_ payloads: [String], copies copyCount: Int, in path: String) async throws {
        self.payloads = payloads
        try await RecordedDemo.shared.copy(to: path)
        let store = try TrafficStore(path: path, access: .writing, classifier: LensSet.standard)
        var rows: [ExchangeSummary] = []
        try store.eachSummary(Filter()) { rows.append($0) }
        var known: Set<String> = []
        for row in rows {
            // One answer of each kind.
            guard known.insert("\(row.method) \(row.target.prefix { $0 != "=" })").inserted else { continue }
            guard let lens = row.lens, let record = try store.record(row.id) else { continue }
            let capture = try Capture(record, source: store.body)
            guard let body = try? JSONSerialization.jsonObject(with: Data(capture.response.bytes)),
                let exchange = Self.plain(record.exchange)
            else { continue }
            for _ in 0..<copyCount {
                let bytes = Array(try JSONSerialization.data(withJSONObject: hostile(body, at: "")))
                var copy = exchange
                copy.response?.body = Body(
                    length: Int64(bytes.count),
                    kept: Int64(bytes.count),
                    sha256: HostileCapture.digest(next)
                )
                next += 1
                copies[lens, default: []].append(try await store.record(copy, response: bytes))
            }
        }
        try store.index()
        try store.close()
    }

    /// The exchange without a content coding.
    private static func plain(_ exchange: Exchange) -> Exchange? {
        guard var response = exchange.response, exchange.code == 200 else { return nil }
        let head = String(buffer: response.head).split(separator: "\r\n", omittingEmptySubsequences: false)
            .filter { !$0.lowercased().hasPrefix("content-encoding:") && !$0.lowercased().hasPrefix("content-length:") }
        response.head = ByteBuffer(string: head.joined(separator: "\r\n"))
        var plain = exchange
        plain.response = response
        plain.id = 0
        plain.request.body = Body(length: 0, kept: 0, sha256: [])
        return plain
    }

    private mutating func hostile(_ value: Any, at key: String) -> Any {
        if let object = value as? [String: Any] {
            var written: [String: Any] = [:]
            for (name, member) in object.sorted(by: { $0.key < $1.key }) { written[name] = hostile(member, at: name) }
            return written
        }
        if let list = value as? [Any] {
            var written: [Any] = []
            for element in list { written.append(hostile(element, at: key)) }
            return written
        }
        guard let text = value as? String else { return value }
        let isNumber = text.allSatisfy { $0.isNumber || " :.,+-/TZ".contains($0) }
        if isNumber || Self.kept.contains(key) || Self.isMoment(text) { return text }
        // Bytes of a record hold JSON of their own.
        if let data = Data(base64Encoded: text), let inner = try? JSONSerialization.jsonObject(with: data),
            let bytes = try? JSONSerialization.data(withJSONObject: hostile(inner, at: key))
        {
            return bytes.base64EncodedString()
        }
        next += 1
        return payloads[next % payloads.count]
    }

    /// Whether a text is a date with a time.
    private static func isMoment(_ text: String) -> Bool { text.prefix(4).allSatisfy(\.isNumber) && text.contains(":") }
}
