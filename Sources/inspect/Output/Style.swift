import Traffic

/// Colours for a terminal; leaves text alone in a pipe.
struct Style: Sendable {
    /// The few colours that tables use, as SGR parameters (ECMA-48 §8.3.117).
    enum Colour: String {
        case green = "32"
        case cyan = "36"
        case yellow = "33"
        case red = "31"
        case dim = "2"
        case bold = "1"
        /// What must not be overlooked.
        case alarm = "1;31"
    }

    /// Whether escape sequences are written at all.
    let isColoured: Bool

    /// The text in a colour.
    func paint(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour, !text.isEmpty else { return text }
        return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    /// What an exchange's code and outcome look like: red for failures and 5xx, yellow 4xx, cyan 3xx, green 2xx, dim while open or unread.
    static func colour(code: Int?, outcome: Outcome) -> Colour? {
        switch outcome {
        case .failed: return .red
        case .pending, .tunnelled: return .dim
        case .completed: break
        }
        return switch code ?? 0 {
        case 200..<300: .green
        case 300..<400: .cyan
        case 400..<500: .yellow
        case 500...: .red
        default: nil
        }
    }
}
