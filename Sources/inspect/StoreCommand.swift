import ArgumentParser
import Store
import Traffic

/// `inspect store`: how the store is.
struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Show the store's size, rows, sessions and gaps, and look through it for damage.",
        discussion: """
            Looked through are the file's own structure, each block beside the rows it counts, each body beside the exchanges that keep it. That reads all of it; \
            --quick leaves it out. Exit status 1 means damage.
            """
    )

    @Flag(help: "Do not look for damage.")
    var quick = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let console = Console(outlivesReader: true)
        let report: StoreReport
        do {
            report = try store.openForReading().report(isChecked: !quick)
        } catch let error as StoreError where error.isDamage {
            try Console.write(Array("inspect: \(VisibleText.line(error.description))\n".utf8), to: 2)
            throw ExitCode(1)
        }
        if json {
            var writer = JSONWriter(isIndented: console.isTerminal)
            writer.object { report.write(to: &$0) }
            writer.newline()
            try console.write(writer.take())
        } else {
            for line in StoreView(report, style: console.style).lines { try console.line(line) }
        }
        try console.flush()
        if report.check?.isSound == false { throw ExitCode(1) }
    }
}
