import ArgumentParser
import Store
import Traffic

/// `inspect store show`, also `inspect store` alone: shows and checks the store.
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

    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let report: StoreReport
        do {
            report = try store.openForReading().report(isChecked: !quick)
        } catch let error as StoreError where error.isDamage {
            Console.remark("inspect: \(VisibleText.line(error.told))")
            throw ExitCode(1)
        }
        try Console(outlivesReader: true).write(StoreShowReport(report: report), output)
        if report.check?.isSound == false { throw ExitCode(1) }
    }
}
