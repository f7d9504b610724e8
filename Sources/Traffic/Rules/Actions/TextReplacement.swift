/// A text, or what a regular expression matches, that is replaced wherever it stands.
package struct TextReplacement: Hashable, Sendable {
    /// What is replaced.
    package enum Pattern: Hashable, Sendable {
        /// These bytes, case minded.
        case text(String)
        case regex(ReplacedPattern)

        /// The pattern as the record names it.
        var name: String {
            switch self {
            case .text(let text): text
            case .regex(let regex): regex.source
            }
        }
    }

    package var pattern: Pattern
    /// What stands in its place; in that of a regular expression, `${1}` to `${9}` are what its groups matched.
    package var with: Template
    /// Whether only the first occurrence is replaced.
    package var isFirstOnly = false

    /// With the values of the template filled in.
    ///
    /// - Parameters:
    ///   - scope: the values.
    ///   - place: where the text stands, which says how values are written in it.
    /// - Returns: what is to be found, and what is put in its place.
    func ready(_ scope: inout TemplateScope, in place: TemplatePlace = .text) -> ReadyReplacement {
        ReadyReplacement(pattern: pattern, with: scope.parts(with, in: place), isFirstOnly: isFirstOnly)
    }
}
