import Lenses
import Traffic

extension Console {
    /// Writes what answers a place's question, as JSON.
    func write(_ board: some PlaceBoard) throws {
        var json = JSONWriter()
        board.write(to: &json)
        json.newline()
        try write(json.take())
    }
}
