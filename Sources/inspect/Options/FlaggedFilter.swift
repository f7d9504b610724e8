import Foundation
import Traffic

/// What the filter flags of a command select together.
struct FlaggedFilter {
    let flags: FilterFlags
    /// `nil` of a command in which `--method` meant something else before.
    let method: MethodFlag?

    /// Whether no flag is given.
    var isEmpty: Bool { flags.isEmpty && method?.method.isEmpty ?? true }

    /// The filter that they describe.
    ///
    /// - Parameter now: what `--since 10m` counts back from.
    /// - Returns: the filter.
    /// - Throws: `FilterError` naming the flag, its value and what was expected.
    func filter(now: Date) throws -> Filter {
        var filter = try flags.filter(now: now)
        for selector in try method?.selectors() ?? [] { filter.select(selector, in: .method) }
        return filter
    }
}
