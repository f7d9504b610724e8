import ArgumentParser
import Store
import Traffic

/// `inspect store show`, which is `inspect store` too: how the store is.
struct StoreShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the store's size and content, and check it (also 'inspect store' alone).",
        discussion: """
            It shows size, rows, sessions and gaps. It checks the file's own structure, each block against the rows it counts, and each body against \
            the exchanges that keep it. That reads the whole file; --quick leaves the check out. Exit status 1 means damage.
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
            Console.remark("inspect: \(VisibleText.line(error.told))")
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
