import ArgumentParser
import Store
import Traffic

/// What a running proxy keeps of what it records, and under which name.
struct KeepOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Record into a session of this name; 'session:NAME' selects it.", valueName: "name")
    )
    var session: String?

    @Option(
        help: ArgumentHelp("Delete exchanges that began longer ago: 12h, 7d, 4w.", valueName: "age"),
        transform: Age.init(option:)
    )
    var keepFor: Age?

    @Option(
        help: ArgumentHelp("Delete the oldest exchanges beyond this number.", valueName: "n"),
        transform: Count.init(option:)
    )
    var keepCount: Count?

    @Option(
        help: ArgumentHelp(
            "Delete the oldest exchanges while the store's file uses more; freed room is used again.",
            valueName: "size"
        ),
        transform: ByteCount.init(option:)
    )
    var keepBytes: ByteCount?

    @Flag(help: "Let the --keep options delete favourites and exchanges with tags or a note too.")
    var dropMarked = false

    mutating func validate() throws {
        if let session, let problem = SessionName.problem(of: session) { throw ValidationError("--session \(problem)") }
        if let keepBytes, keepBytes.bytes < 10 << 20 {
            throw ValidationError("--keep-bytes takes at least 10MiB: less is not enough for the store's own tables")
        }
        if dropMarked, policy.isEmpty {
            throw ValidationError("--drop-marked goes with --keep-for, --keep-count or --keep-bytes")
        }
    }

    /// When a running proxy deletes what it recorded.
    var policy: RetentionPolicy {
        RetentionPolicy(
            age: keepFor?.microseconds,
            count: keepCount?.count,
            bytes: keepBytes.map { Int64($0.bytes) },
            includesMarked: dropMarked
        )
    }
}
