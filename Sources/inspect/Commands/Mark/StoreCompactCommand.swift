import ArgumentParser
import Store

/// `inspect store compact`: rewrites the store's file without its free room.
struct StoreCompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Rewrite the store without what was deleted.",
        discussion: """
            Nothing of the deleted exchanges is left in the file. The command needs room for a second copy meanwhile; without that room it changes \
            nothing. A running proxy goes on and records beside the copy; what it records is listed as soon as the copy is done. Ctrl-C gives it up \
            and leaves the store as it was; a proxy that was asked only a second before may make the copy all the same.
            """
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let result: TrafficStore.CompactResult
        do { result = try await StoreEditor(store).compact() } catch is CancellationError {
            throw InputError("compacting was given up; the store is as it was")
        }
        let console = Console()
        try console.line("\(Measure.bytes(result.before)) before, \(Measure.bytes(result.after)) after.")
        if result.isLogHeld {
            try console.line("Another program is reading: until it ends, the log still holds what was deleted.")
        }
        try console.flush()
    }
}
