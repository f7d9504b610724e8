package import Traffic

/// A number, or a range of them, that is of no exchange in the store.
package struct AbsentExchanges: Error, CustomStringConvertible {
    package let range: ClosedRange<ExchangeID>

    /// The number or the range as it is written.
    package var words: String { SelectorText.words(range) }

    package var description: String { "no exchange \(words) in the store" }
}
