extension FormerSpelling {
    /// Every former spelling there is, the longer of two that begin alike first.
    static let all: [FormerSpelling] = [
        .command("tag", isNow: "mark tag", text: .value("--query")),
        .command("note", isNow: "mark note", text: .value("--query")),
        .command("favourite", isNow: "mark favourite", text: .value("--query")),
        .command("compact", isNow: "store compact"),
        .command("openapi infer", isNow: "export --format openapi"),
        .command("resume", isNow: "pause --remove"),
        .command("saved add", isNow: "saved", text: .terms), .command("saved list", isNow: "saved"),
        .command("saved remove", isNow: "saved --remove"),
        .command("facility", isNow: "facilities --one"), .command("alerts", isNow: "facilities alerts"),
        .command("food", isNow: "menus food"), .command("swipes", isNow: "menus swipes"),
        .option("--har", of: "check", isNow: "--from"), .option("--har", of: "assert", isNow: "--from"),
        .option("--har", of: "diff", isNow: "--from"),
        .option("--unattend", of: "meetings", isNow: "--remove"),
        .option("--unsave", of: "datasets", isNow: "--remove"),
        .option("--filter", of: "run", isNow: "--query", text: .value("--query")),
        .option("--filter", of: "browser", isNow: "--query", text: .value("--query")),
        .option("--query", of: "replay", isNow: "--query-item"),
    ]
}
