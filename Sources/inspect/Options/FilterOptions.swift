import ArgumentParser
import Foundation
import Store
import Traffic

/// What a listing or an export takes: numbers or a query, and the filter flags.
struct FilterOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "What to select: numbers and ranges (7 10..20), or a query as one text: 'code:5xx -host:cdn.test (path:/v2 or \"not found\")'.",
            discussion: "A number that is meant as text stands in quotation marks of its own: '\"12\"'.",
            valueName: "selector"
        ),
        completion: .custom { _, _, typed in
            let texts = try? TrafficStore(path: Places.current.store, access: .reading).completions(of: typed)
            return (texts ?? []).filter(FilterOptions.isInert)
        }
    )
    var terms: [String] = []

    @OptionGroup var method: MethodFlag
    @OptionGroup var flags: FilterFlags

    /// What the flags select.
    var flagged: FlaggedFilter { FlaggedFilter(flags: flags, method: method) }

    mutating func validate() throws {
        do {
            try selector().check(now: Date())
        } catch let error as FilterError where error.column == nil {
            throw ValidationError(error.description)
        } catch is FilterError {
            // The command itself shows where, with the query text.
        }
    }

    /// Whether a text holds nothing that a shell could run: bash expands the texts that its completion script is given.
    private static func isInert(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789 ._-/+:,*@%()\"".unicodeScalars.contains($0)
        }
    }

    /// What the numbers or the query and the flags select.
    ///
    /// - Throws: `ValidationError` for a number that no exchange can have.
    func selector() throws -> Selector { try Selector(terms, flags: flagged) }

    /// The filter that the query and the flags describe together.
    ///
    /// - Parameters:
    ///   - now: what `--since 10m` counts back from.
    ///   - store: where the exchanges and the saved searches are.
    /// - Returns: the filter.
    /// - Throws: `FilterError` naming the column and what was expected, `InputError` for a number of no exchange.
    func filter(now: Date, in store: TrafficStore) throws -> Filter { try selector().filter(in: store, now: now) }
}
