import ArgumentParser
import Lenses
import Store

/// `--store`: which capture file a command works on.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .customLong("store"),
        help: ArgumentHelp(
            "The capture file.",
            discussion:
                "Default: $INSPECT_STORE, else captures.db under $XDG_DATA_HOME/inspect (~/.local/share/inspect); demo.db there for demo.",
            valueName: "path"
        ),
        completion: .file()
    )
    private var given: String?

    /// The path as given; `nil` for the default.
    var named: String? { given }

    /// The file's path, named or by default.
    var path: String { given ?? Places.current.store }

    /// The options of a command whose default is another file.
    func withDefault(_ path: String) -> StoreOptions {
        var options = self
        options.given = given ?? path
        return options
    }

    /// Opens the store for reading, beside whatever writes it.
    ///
    /// Says so where exchanges wait beside it.
    func openForReading() throws -> TrafficStore {
        if TrafficStore.hasSpool(at: path) {
            let isGoingOn = TrafficStore.writingProcess(at: path) != nil
            let till = isGoingOn ? "until that is done" : "until a proxy runs on it again ('inspect start')"
            Console.remark("inspect: what passed since the store began to be compacted is not listed \(till)")
        }
        return try TrafficStore(path: path, access: .reading, judge: LensSet.standard)
    }

    /// Opens an existing store for writing, which no other process may do meanwhile.
    func openForChanging() throws -> TrafficStore {
        try TrafficStore.requireStore(at: path)
        return try TrafficStore(path: path, access: .writing, judge: LensSet.standard)
    }

    mutating func validate() throws {
        if given?.isEmpty == true {
            throw ValidationError("--store has an empty value; name a file, for example --store captures.db")
        }
    }
}
