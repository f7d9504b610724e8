import ArgumentParser
import Traffic

/// `inspect saved remove`: forgets a saved search.
struct SavedRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Forget a saved search.")

    @Argument(help: "Its name.")
    var name: String

    @OptionGroup var store: StoreOptions

    func run() async throws {
        try await StoreEditor(store).forget(try Tag.name(name))
    }
}
