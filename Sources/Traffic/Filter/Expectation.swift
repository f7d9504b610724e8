/// A number that is expected of some exchanges: `0`, `>=5`, `1..10`, `<300ms`.
package struct Expectation: Hashable, Sendable, CustomStringConvertible {
    /// As it was written.
    package let description: String
    /// The numbers that meet it; microseconds for a time.
    package let range: ClosedRange<Int64>

    /// Reads a count; `==3` and `=3` are 3.
    ///
    /// - Throws: `FilterError` saying what was expected.
    package init(count text: String) throws(FilterError) { try self.init(text, .plain) }

    /// Reads a time with its unit.
    ///
    /// - Throws: `FilterError` saying what was expected.
    package init(time text: String) throws(FilterError) { try self.init(text, .time) }

    private init(_ text: String, _ unit: Quantity.Unit) throws(FilterError) {
        description = text
        var bare = text.filter { !$0.isWhitespace }
        while bare.hasPrefix("=") { bare.removeFirst() }
        do {
            range = try Quantity.range(bare, unit)
        } catch {
            throw FilterError("\(text): \(error.sentence)")
        }
    }
}
