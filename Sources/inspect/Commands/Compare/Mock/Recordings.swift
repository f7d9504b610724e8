import Crypto
import Store
import Traffic

/// All recordings that may answer requests, found by what a request asks for.
struct Recordings: Sendable {
    /// Recordings held at once, at most; each takes about a kilobyte.
    static let limitCount = 200_000

    let all: [Recording]
    let store: TrafficStore
    private let positions: [RequestShape: [Int]]
    private let hosts: Set<String>
    private let authorities: Set<String>
    private let ignoresBody: Bool

    /// Reads the lines of the exchanges that a filter selects.
    ///
    /// - Parameters:
    ///   - store: holds the exchanges; bodies are read from it when they are needed.
    ///   - filter: selects the recordings.
    ///   - ignoresBody: whether a request's body may differ from the recorded one.
    /// - Throws: `InputError` when there are none, or too many.
    init(_ store: TrafficStore, filter: Filter, ignoresBody: Bool) throws {
        var all: [Recording] = []
        try ExchangeReader(store).each(filter) { summary in
            guard all.count < Recordings.limitCount else {
                throw InputError("more than \(Recordings.limitCount) recordings; narrow the query")
            }
            all.append(Recording(summary))
        }
        guard all.contains(where: \.isAnswerable) else {
            throw InputError("there is no recorded response to answer with; widen the query")
        }
        self.all = all
        self.store = store
        self.ignoresBody = ignoresBody
        positions = Dictionary(grouping: all.indices.filter { all[$0].isAnswerable }) { all[$0].shape }
        let answerable = all.filter(\.isAnswerable)
        hosts = Set(answerable.map(\.host))
        authorities = Set(answerable.map(\.authority))
    }

    var hostNames: [String] { hosts.sorted() }

    /// The recordings of the same request, oldest first; a HEAD without its own is answered by GET's.
    func matches(_ request: MockRequest) throws -> [Recording] {
        let own = try matches(request, asked: request.shape)
        guard own.isEmpty, request.shape.method == "HEAD" else { return own }
        return try matches(request, asked: request.shape.asked(by: "GET"))
    }

    private func matches(_ request: MockRequest, asked shape: RequestShape) throws -> [Recording] {
        let found = (positions[shape] ?? []).map { all[$0] }.filter { isHost(of: request, $0) }
        let sameScheme = found.filter { $0.scheme == request.scheme }
        return try (sameScheme.isEmpty ? found : sameScheme).filter { try isBody(of: request, $0) }
    }

    /// Whether a recording has the host that a request names.
    ///
    /// A client that takes us for the server may name us in Host: a host that was never recorded, or this machine, stands for any.
    func isHost(of request: MockRequest, _ recording: Recording) -> Bool {
        if !request.isAddressedHere || authorities.contains(request.authority) {
            return recording.authority == request.authority
        }
        guard hosts.contains(request.host), !request.isHostLocal else { return true }
        return recording.host == request.host
    }

    /// Whether a recording's request had the same content: byte for byte, or the same JSON.
    func isBody(of request: MockRequest, _ recording: Recording) throws -> Bool {
        try bodyDifference(request, recording) == nil
    }

    /// The first place where a recording's request body is another; `nil` where it is the same.
    func bodyDifference(_ request: MockRequest, _ recording: Recording) throws -> BodyDifference? {
        if ignoresBody || (request.body.isEmpty && recording.requestBytes == 0) { return nil }
        guard let message = try store.exchange(recording.id)?.request else { return .unknown }
        if message.body.isTruncated {
            let isSame =
                message.body.length == Int64(request.body.count)
                && message.body.sha256 == Array(SHA256.hash(data: request.body))
            return isSame ? nil : .unknown
        }
        let recorded = try store.body(recording.id, .request, offset: 0, limitBytes: Int(message.body.kept))
        return BodyDifference(request.body, recorded)
    }
}
