import Traffic

/// Colours for a terminal; leaves text alone in a pipe.
struct Style: Sendable {
    /// The few colours that tables use, as SGR parameters (ECMA-48 §8.3.117).
    enum Colour: String, CaseIterable {
        case green = "32"
        case cyan = "36"
        case yellow = "33"
        case red = "31"
        case dim = "2"
        case bold = "1"
        /// What must not be overlooked.
        case alarm = "1;31"
    }

    private static let end = "\u{1B}[0m"
    /// Every escape sequence that is written.
    static let sequences = Colour.allCases.map(Style.start) + [end]

    /// Whether escape sequences are written at all.
    let isColoured: Bool

    /// The text in a colour.
    func paint(_ text: String, _ colour: Colour?) -> String {
        guard isColoured, let colour, !text.isEmpty else { return text }
        return Style.start(colour) + text + Style.end
    }

    private static func start(_ colour: Colour) -> String { "\u{1B}[\(colour.rawValue)m" }

    /// What an exchange's code and outcome look like: red for failures and 5xx, yellow 4xx, cyan 3xx, green 2xx, dim while open, unread, or left by its client.
    static func colour(code: Int?, outcome: Outcome) -> Colour? {
        switch outcome {
        case .failed: return .red
        case .pending, .cancelled, .tunnelled: return .dim
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
