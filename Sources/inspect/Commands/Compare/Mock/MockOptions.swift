import ArgumentParser

/// Where recordings are given again, and how.
struct MockOptions: ParsableArguments {
    /// How long an answer takes.
    enum Latency: String, ExpressibleByArgument, CaseIterable {
        case none
        case asRecorded = "as-recorded"
    }

    @Option(help: ArgumentHelp("The port; 0 picks one and prints it.", valueName: "n"))
    var port: Int = 9_092

    @Option(
        help: ArgumentHelp(
            "The address to listen on. Anything but loopback lets others read the recordings.",
            valueName: "address"
        )
    )
    var listen: String = "127.0.0.1"

    @OptionGroup var hostNames: HostNameOptions

    @Option(
        help: ArgumentHelp(
            "The recording that a repeated request gets: recorded (each in turn, then the last again) or last.",
            valueName: "order"
        )
    )
    var order: RecordedAnswers.Order = .recorded

    @Option(help: ArgumentHelp("How long an answer takes: none, or as-recorded.", valueName: "latency"))
    var latency: Latency = .none

    @Flag(help: "Ignore the body of a request.")
    var ignoreBody = false

    mutating func validate() throws {
        if !(0...65_535).contains(port) { throw ValidationError("--port \(port): expected 0 to 65535") }
        if listen.isEmpty { throw ValidationError("--listen has an empty value; name an address") }
    }
}

extension RecordedAnswers.Order: ExpressibleByArgument {}
