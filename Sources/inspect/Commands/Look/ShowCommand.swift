import ArgumentParser
import Store
import Traffic

/// `inspect show`: shows one exchange, or one of its bodies.
struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one exchange: meaning, heads, bodies, timing.",
        discussion: """
            Where a lens knows the API, it says request and response in words first; --decoded prints that alone. --messages lists the messages of a \
            WebSocket, of server-sent events or of a gRPC call. --body prints one body, decoded: readable and safe on a terminal, its exact decoded \
            bytes in a pipe. With --raw the bytes are the stored ones, still in their content coding. On a terminal all goes by way of a pager: PAGER, \
            else 'less -R'; with an empty PAGER none.

            Examples:
              inspect show 12
              inspect show 12 --decoded
              inspect show 12 --body response | jq .
              inspect show 12 --body response --raw > body.gz
              inspect show 12 --messages
              inspect show 3 --from page.har
            """
    )

    @Argument(
        help: ArgumentHelp("The number of the exchange, as listings show it.", valueName: "id"),
        transform: Selector.one
    )
    var id: ExchangeID

    @Option(help: ArgumentHelp("Print this body only: request or response.", valueName: "side"))
    var body: MessageSide?

    @Flag(help: "With --body: the bytes as they went over the wire.")
    var raw = false

    @Flag(help: "Print only what its lens reads.")
    var decoded = false

    @Flag(help: "List the messages of its stream, one a line, none cut.")
    var messages = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var decoding: DecodingOptions
    @OptionGroup var source: ReadingOptions

    mutating func validate() throws {
        if raw, body == nil { throw ValidationError("--raw goes with --body request or --body response") }
        let parts = [(decoded, "--decoded"), (messages, "--messages"), (body != nil, "--body")].filter(\.0).map(\.1)
        if parts.count > 1 {
            throw ValidationError("\(parts[0]) and \(parts[1]) exclude each other; give one of them")
        }
        if output.json, body != nil { throw ValidationError("--json and --body exclude each other; give one of them") }
    }

    func run() async throws {
        try source.read { try show($0) }
    }

    private func show(_ store: TrafficStore) throws {
        let record = try ExchangeReader(store).record(id)
        let shown = try body.map { side in
            guard let message = record.message(side) else { throw InputError("exchange \(id) has no \(side.rawValue)") }
            return ShownBody(store, id, side, message, limitBytes: decoding.limit.bytes)
        }
        try Pager.page(colours: output.colours.choice) { console in
            if let shown {
                try shown.write(to: console, isRaw: raw)
                try console.flush()
            } else {
                try write(record, in: store, to: console)
            }
        }
    }

    /// Writes the exchange, or the part of it that is asked for.
    private func write(_ record: ExchangeRecord, in store: TrafficStore, to console: Console) throws {
        let limit = decoding.limit.bytes
        if decoded {
            try console.write(DecodedReport(record, store: store, limitBytes: limit), output)
        } else if messages {
            try console.write(MessageReport(exchange: record.exchange, store: store), output)
        } else {
            try console.write(ExchangeReport(record: record, store: store, decodedLimitBytes: limit), output)
        }
    }
}

extension MessageSide: ExpressibleByArgument {}
