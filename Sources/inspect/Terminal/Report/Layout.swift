/// How lines are set for their reader: the colours, and the width that they may take.
struct Layout: Sendable {
    /// For a pipe or a file: no colours, and no line is cut.
    static let plain = Layout(style: Style(isColoured: false), width: nil)

    let style: Style
    /// Columns of the terminal; `nil` where no line is cut.
    let width: Int?
}
