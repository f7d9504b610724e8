/// The first line of a request, its target in origin-form.
struct RequestLine {
    var method: String
    var target: String
    private let version: Substring

    /// Reads the first line of a head; a target in absolute-form, as clients send it to a proxy, becomes one in origin-form (RFC 9112 §3.2).
    ///
    /// - Throws: `RuleFault` when the line cannot be written anew.
    init(of lines: HeadLines) throws(RuleFault) {
        guard lines.isStartText else { throw RuleFault("the request line holds bytes that are no text in UTF-8") }
        let line = lines.start?.utf8.split(separator: ASCII.space, omittingEmptySubsequences: false) ?? []
        let parts = line.map { Substring($0) }
        guard parts.count == 3, !parts.contains(where: \.isEmpty) else {
            throw RuleFault("the request line is not a method, a target and a version")
        }
        (method, version) = (String(parts[0]), parts[2])
        target = RequestLine.origin(of: parts[1])
    }

    /// Writes the line into a head.
    ///
    /// - Throws: `RuleFault` when the target cannot be sent.
    func write(to lines: inout HeadLines) throws(RuleFault) {
        let isPath = target.utf8.first == UInt8(ascii: "/")
        guard isPath || target.utf8.elementsEqual("*".utf8), target.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw RuleFault("'\(target.shortened(to: 100))' is no target that can be sent")
        }
        lines.setStart("\(method) \(target) \(version)")
    }

    /// A target without scheme and authority.
    private static func origin(of target: Substring) -> String {
        guard target.utf8.first != UInt8(ascii: "/"), let start = target.utf8.firstRange(of: "://".utf8) else {
            return String(target)
        }
        // By bytes: a combining mark behind a slash makes one character with it.
        let rest = target[start.upperBound...].utf8.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            .prefix { $0 != UInt8(ascii: "#") }
        return (rest.first == UInt8(ascii: "/") ? "" : "/") + String(Substring(rest))
    }
}
