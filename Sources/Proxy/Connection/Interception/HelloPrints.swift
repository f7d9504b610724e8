import Traffic

/// The senders of ClientHellos, each kind of hello analysed once: a program sends the same on every connection.
///
/// Used on one loop only.
final class HelloPrints {
    /// What is known of a sender.
    struct Print {
        /// The fingerprint by the method of JA4.
        var fingerprint: String
        var runtime: ClientRuntime?
    }

    /// The parts of a ClientHello that a print is made of.
    private struct Kind: Hashable {
        var marks: ClientHelloMarks
        var hasName: Bool
        var protocols: [String]
    }

    /// The most kinds that are kept: some programs shuffle what they offer, so that each of their connections is a kind of its own.
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
