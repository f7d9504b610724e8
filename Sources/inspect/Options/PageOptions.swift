import ArgumentParser
import Traffic

/// Which part of a listing to print, and in which form.
struct PageOptions: ParsableArguments {
    @OptionGroup var list: ListOptions

    @Option(
        help: ArgumentHelp(
            "Continue after this exchange, towards older ones: the \"next\" of the page before.",
            valueName: "id"
        )
    )
    var after: ExchangeID?

    @OptionGroup var output: OutputOptions

    @Flag(help: "Print one JSON object a line for each exchange.")
    var jsonl = false

    mutating func validate() throws {
        if let after, after < 1 {
            throw ValidationError("--after \(after): expected the number of an exchange, 1 or more")
        }
        if output.json, jsonl { throw ValidationError("--json and --jsonl exclude each other; give one of them") }
    }

    /// The page of a filter's result that the options describe.
    func query(_ filter: Filter, countsFacets: Bool) -> ListingQuery {
        ListingQuery(filter: filter, limit: list.limit.count, after: after, countsFacets: countsFacets)
    }
}
