import Lenses
import Traffic

/// What is told of comparisons as they are made.
protocol ComparisonSink: AnyObject {
    /// Takes a comparison.
    func add(_ comparison: Comparison) throws

    /// Takes note of an exchange that is nothing to send.
    func leftOut(_ reason: String)

    /// Takes the proxy's own count.
    func sent(_ summary: ReplayLine.Summary)
}
