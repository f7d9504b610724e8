extension TLSRemedy {
    /// The client of a failed handshake, as far as the remedy depends on it.
    package struct Client: Hashable, Sendable {
        var runtime: ClientRuntime?
        package var process: LocalProcess?
        /// The address it comes from.
        var address: String
        /// Whether its TLS library looks at certificates only after the handshake.
        var judgesLate = false

        package init(runtime: ClientRuntime?, process: LocalProcess?, address: String) {
            self.runtime = runtime
            self.process = process
            self.address = address
        }

        /// The client of an exchange.
        package init(of exchange: Exchange) {
            runtime = ClientRuntime.of(
                process: exchange.client.process,
                userAgent: exchange.request.fields.first("User-Agent"),
                hello: exchange.client.runtime
            )
            process = exchange.client.process
            address = exchange.client.address
            judgesLate = exchange.client.runtime == .gnutls
        }

        /// Whether it is on another machine.
        var isElsewhere: Bool {
            process == nil && !address.isEmpty && !address.hasPrefix("127.") && !address.hasPrefix("[::1]")
        }

        /// Its name at the beginning of a sentence.
        package var title: String {
            if let process { return process.text }
            let title = runtime?.title ?? "the client"
            return title.contains(" ") ? title.prefix(1).uppercased() + title.dropFirst() : title
        }
    }
}
