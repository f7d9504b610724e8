import Lenses
import Traffic

extension DatasetBoard {
    /// The lines to print: each part under its heading, then what is to be said of it.
    func lines(_ console: Console) -> [String] {
        let printer = LensViewPrinter(console)
        var lines = Array(sections.map { printer.lines($0) }.joined(separator: [""]))
        if catalogue.exchanges == 0 {
            lines.append(
                "no exchange with the open-data portal is in the selection; record some, or import a HAR file"
            )
        }
        return lines + remarks.map { console.style.paint(VisibleText.line($0), .yellow) }
    }
}
