import Lenses

extension ComparisonSummary {
    /// Why nothing was compared, of what was asked for.
    func emptiness(of terms: String) -> String {
        let reasons = leftOut.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        return reasons.isEmpty
            ? "no exchange is selected by \(terms)"
            : "of what \(terms) selects all is left out: \(reasons.joined(separator: ", "))"
    }
}
