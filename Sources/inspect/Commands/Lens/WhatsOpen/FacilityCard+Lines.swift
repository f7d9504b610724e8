import Lenses
import Traffic

extension FacilityCard {
    /// The lines to print; with `isWhole` the reasons, the week and the clients too.
    func lines(_ console: Console, isWhole: Bool) -> [String] {
        let printer = LensViewPrinter(console)
        let sections = explanation.sections()
        let shown =
            isWhole ? sections : sections.filter { [explanation.facility.title, "Warnings"].contains($0.title) }
        var lines = shown.flatMap { printer.lines($0) + [""] }
        if isWhole, row.isDisputed { lines.append(console.style.paint("The clients disagree about it now", .yellow)) }
        return lines + [console.style.paint(origin, .dim)]
    }
}
