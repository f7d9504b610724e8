import ArgumentParser

/// `inspect compact`: the store's file without what is free in it.
struct CompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Write the store anew without free room, so that nothing that was deleted is left in it.",
        discussion: """
            Needs room for a second copy meanwhile; without it, nothing is changed. A running proxy goes on, and records what passed when it is done.
            """
    )

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let result = try await StoreEditor(store).compact()
        let console = Console()
        try console.line("\(Measure.bytes(result.before)) before, \(Measure.bytes(result.after)) after.")
        if result.isLogHeld {
            try console.line("Another program is reading: until it ends, the log still holds what was deleted.")
        }
        try console.flush()
    }
}
