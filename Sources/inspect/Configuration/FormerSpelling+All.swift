extension FormerSpelling {
    /// Every former spelling there is, the longer of two that begin alike first.
    static let all: [FormerSpelling] = [
        .command("resume", isNow: "pause --remove"),
        .command("saved add", isNow: "saved"), .command("saved list", isNow: "saved"),
        .command("saved remove", isNow: "saved --remove"),
        .option("--query", of: "replay", isNow: "--query-item"),
    ]
}
