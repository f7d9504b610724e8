/// The differences that mean nothing, because they occur between any two exchanges: declared, standard or learnt.
package struct DiffNoise: Hashable, Sendable {
    /// Fields that differ from one message to the next, or that describe the connection that carried it.
    package static let standardFields: Set<String> = [
        "age", "cf-ray", "connection", "date", "expires", "keep-alive", "proxy-connection", "server-timing",
        "traceparent", "tracestate", "transfer-encoding", "via", "x-amz-cf-id", "x-amz-request-id", "x-amzn-requestid",
        "x-amzn-trace-id", "x-cloud-trace-context", "x-correlation-id", "x-request-id", "x-response-time", "x-runtime",
        "x-trace-id",
    ]

    /// Names of fields in lower case.
    private(set) var fields: Set<String> = []
    /// Names of query items, as decoded.
    private(set) var queryNames: Set<String> = []
    private(set) var paths: [JSONPath] = []
    /// Whether the length of a body is ignored, because the body itself is compared.
    private(set) var passesLengths: Bool

    /// Whether links to the answer's own origin count as equal, wherever that is.
    var passesOrigins: Bool { passesLengths }

    /// Reads declared noise.
    ///
    /// - Parameters:
    ///   - declared: `header:date`, `json:$.modified`, `json:$..id`, `query:ts`; each may be a comma list.
    ///   - usesStandard: whether `standardFields` are noise too.
    /// - Throws: `DiffNoiseError` naming the part that cannot be read.
    package init(declared: [String] = [], usesStandard: Bool = true) throws(DiffNoiseError) {
        passesLengths = usesStandard
        if usesStandard { fields = DiffNoise.standardFields }
        for entry in declared.flatMap(DiffNoise.parts) { try declare(entry) }
    }

    /// The standard noise alone.
    package static var standard: DiffNoise { (try? DiffNoise()) ?? DiffNoise(passesLengths: true) }

    /// No noise: every difference counts.
    static var none: DiffNoise {
        var noise = DiffNoise(passesLengths: false)
        noise.fields = []
        return noise
    }

    private init(passesLengths: Bool) {
        self.passesLengths = passesLengths
        fields = DiffNoise.standardFields
    }

    private mutating func declare(_ entry: String) throws(DiffNoiseError) {
        let colon = entry.firstIndex(of: ":") ?? entry.endIndex
        let value = entry[colon...].dropFirst()
        guard !value.isEmpty else {
            throw DiffNoiseError("'\(entry)' is nothing to ignore; expected header:NAME, json:$.PATH or query:NAME")
        }
        switch entry[..<colon].lowercased() {
        case "header", "field": fields.insert(value.lowercased())
        case "query": queryNames.insert(String(value))
        case "json":
            do throws(ValueProblem) {
                let path = try JSONPath(String(value))
                if path.steps.isEmpty { throw ValueProblem("$ alone would ignore every JSON body") }
                if !paths.contains(path) { paths.append(path) }
            } catch {
                throw DiffNoiseError("'\(entry)' is nothing to ignore: \(error.sentence)")
            }
        default:
            throw DiffNoiseError("'\(entry)' is nothing to ignore; expected header:NAME, json:$.PATH or query:NAME")
        }
    }

    /// The entries of a comma list; a comma that no entry follows belongs to the entry before it.
    private static func parts(_ list: String) -> [String] {
        var parts: [String] = []
        for piece in list.split(separator: ",", omittingEmptySubsequences: false) {
            let isEntry = ["header:", "field:", "json:", "query:"].contains { piece.lowercased().hasPrefix($0) }
            if isEntry || parts.isEmpty {
                parts.append(String(piece))
            } else {
                parts[parts.count - 1] += "," + piece
            }
        }
        return parts
    }

    /// Learns as noise what differs between two answers to the very same request.
    ///
    /// Nothing is learnt where one answer failed and the other did not. A whole element of a list is never learnt, because that would hide all
    /// elements.
    package mutating func learn(from difference: CaptureDifference) {
        guard !difference.differences.contains(where: { $0.part == .status }) else { return }
        for difference in difference.differences where difference.side == .response {
            switch difference.part {
            case .field, .trailer: fields.insert(difference.place.lowercased())
            case .json:
                guard let general = difference.general, let path = try? JSONPath(general), !paths.contains(path) else {
                    continue
                }
                paths.append(path)
            default: continue
            }
        }
    }

    /// The noise that is here and not in the other, in the words of `init(declared:)`, in order.
    package func added(to other: DiffNoise) -> [String] {
        fields.subtracting(other.fields).map { "header:\($0)" }.sorted()
            + paths.filter { !other.paths.contains($0) }.map { "json:\($0.text)" }
            + queryNames.subtracting(other.queryNames).map { "query:\($0)" }.sorted()
    }
}
