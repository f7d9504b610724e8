import ArgumentParser
import Store
import Traffic

/// Where a command that changes nothing finds exchanges: in the store, or in an archive in its place.
struct ReadingOptions: ParsableArguments {
    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "Read this archive in place of the store: HAR, or what export wrote; - for standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var archive: String?

    @OptionGroup var store: StoreOptions

    /// The option that names the place to another command, with a space before it; empty where none was given.
    var place: String {
        if let archive { return " --from \(ShellWord(archive))" }
        return store.named.map { " --store \(ShellWord($0))" } ?? ""
    }

    /// Opens the exchanges for as long as a closure reads them.
    ///
    /// - Parameter body: reads the exchanges.
    /// - Returns: what the closure returns.
    /// - Throws: `StoreError` or `InputError` when the store or the archive cannot be read, and what the closure throws.
    func read<Value>(_ body: (TrafficStore) throws -> Value) throws -> Value {
        guard let archive else { return try body(store.openForReading()) }
        // The folder of the archive's store goes with this value.
        let opened = try TemporaryArchiveStore(archive, savedIn: store.path)
        return try withExtendedLifetime(opened) { try body(opened.store) }
    }
}
