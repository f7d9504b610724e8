import ArgumentParser
import Foundation
import Traffic

/// `inspect doctor`: finds what keeps traffic from being captured, and names the command that fixes it.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find what keeps traffic from being captured.",
        discussion: """
            It says what works, then what does not, each with the command that fixes it, and ends with one conclusion; 'ok' means that all works. It \
            checks the root certificate, the running proxy with \
            one request through it, the variables of this shell, who trusts the root (the system, browsers, Java, curl, Python, Node), the store, \
            the disk and the clock. It changes nothing. Exit status 1 means that it found something.
            """
    )

    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var authority: CAOptions

    func run() async throws {
        let places = Doctor.Places(
            storePath: store.path,
            files: authority.files,
            storeOption: store.named.map { " --store \(ShellWord($0))" } ?? "",
            authorityOption: authority.option
        )
        let doctor = Doctor(
            places: places,
            environment: ProcessInfo.processInfo.environment,
            now: Date()
        )
        let report = DoctorReport(checks: try await doctor.checks())
        try Console(outlivesReader: true).write(report, output)
        if !report.findings.isEmpty { throw ExitCode(1) }
    }
}
