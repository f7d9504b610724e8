import Traffic

/// What ClientHellos say of their senders, each kind read once: a program sends the same on every connection.
///
/// Used on one loop only.
final class HelloPrints {
    /// What tells a sender.
    struct Print {
        /// The fingerprint by the method of JA4.
        var fingerprint: String
        var runtime: ClientRuntime?
    }

    /// All that a print is made of.
    private struct Kind: Hashable {
        var marks: ClientHelloMarks
        var hasName: Bool
        var protocols: [String]
    }

    /// Some programs shuffle what they offer, so that each of their connections is a kind of its own.
    private static let limitCount = 64

    private var prints: [Kind: Print] = [:]

    /// The print of a ClientHello.
    func of(_ hello: ClientHello) -> Print {
        let kind = Kind(
            marks: hello.marks,
            hasName: hello.serverName != nil,
            protocols: hello.applicationProtocols
        )
        if let print = prints[kind] { return print }
        if prints.count >= HelloPrints.limitCount { prints.removeAll(keepingCapacity: true) }
        let print = Print(fingerprint: hello.fingerprint, runtime: hello.marks.runtime)
        prints[kind] = print
        return print
    }
}
