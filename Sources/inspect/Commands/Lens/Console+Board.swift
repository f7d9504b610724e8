import Lenses
import Traffic

extension Console {
    /// Writes what answers a place's question, as JSON; a person's has indents.
    func write(_ board: some PlaceBoard) throws {
        var json = JSONWriter(isIndented: isTerminal)
        board.write(to: &json)
        json.newline()
        try write(json.take())
    }
}
