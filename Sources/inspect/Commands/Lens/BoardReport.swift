import Lenses
import Traffic

/// A report on the board that answers a place's question; its JSON is the board's own, as the page gets it.
protocol BoardReport: Report {
    associatedtype Board: PlaceBoard

    /// The answer.
    var board: Board { get }
}

extension BoardReport {
    func write(to json: inout JSONWriter) { board.write(to: &json) }
}
