import ArgumentParser
import Proxy

/// The names by which clients may address a listener that acts as their server.
struct HostNameOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp(
            "A name by which clients may ask a reverse listener, or a mock, as their server. May be repeated.",
            discussion: """
                Addresses, names without a dot, *.localhost, *.internal, *.local, *.home.arpa, and the names of the reverse upstream or of the recordings are always taken. Any other name is \
                answered 421, so that no web site reaches the listener by a name of its own that leads to this machine.
                """,
            valueName: "name"
        )
    )
    private var given: [String] = []

    /// The names, in lower case.
    ///
    /// - Throws: `ValidationError` naming the text that is no host name.
    func names() throws -> Set<String> {
        Set(
            try given.map { text in
                guard let name = HostPattern(text)?.description, !name.contains("*"), !name.contains(":"),
                    !name.hasSuffix(".")
                else {
                    throw ValidationError("--allow-host \(text): expected a host name alone, as in app.example.test")
                }
                return name
            }
        )
    }

    mutating func validate() throws { _ = try names() }
}
