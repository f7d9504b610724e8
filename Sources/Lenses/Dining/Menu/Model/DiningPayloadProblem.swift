/// A reason why a record's payload cannot be shown.
package enum DiningPayloadProblem: Error, Sendable, Equatable, CustomStringConvertible {
    case missing
    case notBase64
    /// The payload is no JSON text; the text ends a sentence about its bytes.
    case notJSON(String)
    /// The payload has no date, meals or foods, which the app calls unsafe; the text says what is wrong.
    case unsafe(String)

    package var description: String {
        switch self {
        case .missing: "has no Data field"
        case .notBase64: "is not base64"
        case .notJSON(let reason): "decodes to bytes that are not JSON: the text \(reason)"
        case .unsafe(let reason): "is an unsafe record: \(reason)"
        }
    }
}
