import ArgumentParser
import Foundation
import Traffic
import Trust

/// Which places of this machine are to trust the root, and how careful to be; of `ca install` and `ca uninstall`.
struct TrustOptions: ParsableArguments {
    @Flag(help: "The system's roots (Debian, Ubuntu; the login keychain on macOS).")
    var system = false

    @Flag(help: "The certificate databases of Chromium, Chrome and Firefox.")
    var browser = false

    @Flag(help: "The JDK that JAVA_HOME names, else the one on the PATH.")
    var java = false

    @Flag(name: [.short, .long], help: "Do not ask; needed where there is no terminal to ask on.")
    var yes = false

    @Flag(name: .customLong("dry-run"), help: "Print the commands, and run none.")
    var isDry = false

    @OptionGroup var authority: CAOptions

    private var kinds: [MachineStore.Kind] {
        (system ? [.system] : []) + (browser ? [.browser] : []) + (java ? [.java] : [])
    }

    /// Shows what is to be done, asks, and does it.
    ///
    /// - Throws: `InputError` when it cannot be done or nobody can be asked; an `ExitCode` of 1 when it failed at some place, which was told then.
    func run(_ direction: TrustChange.Direction) async throws {
        let root = try root(direction)
        let machine = MachineStores(
            rootFile: authority.files.certificatePath,
            rootPEM: root.pem,
            nickname: root.commonName,
            keyDigest: root.keyDigest,
            environment: ProcessInfo.processInfo.environment
        )
        let folder = authority.files.directory + "/undo"
        let plan = try await TrustPlan(
            direction,
            kinds,
            on: machine,
            undoFolder: folder,
            authorityOption: authority.option
        )
        for note in plan.notes { Console.remark("inspect: note: \(VisibleText.line(note))") }
        tell(plan.failures)
        let console = Console(outlivesReader: true)
        let isGood = try await carryOut(plan, console)
        try console.flush()
        guard isGood, plan.failures.isEmpty else { throw ExitCode(1) }
    }

    /// Shows a plan, asks, and carries it out; returns whether nothing failed meanwhile.
    private func carryOut(_ plan: TrustPlan, _ console: Console) async throws -> Bool {
        guard !plan.changes.isEmpty else {
            // Where a place did not say how it is, there may be something to do.
            guard plan.failures.isEmpty else { return false }
            try console.line(plan.direction == .install ? "Nothing to install." : "Nothing to take back.")
            return true
        }
        for line in plan.script { try console.line(line) }
        try console.flush()
        if isDry { return true }
        guard try isAgreed(console) else {
            try console.line("Nothing was changed.")
            return true
        }
        let outcome = try await plan.run()
        tell(outcome.failures)
        if !outcome.done.isEmpty {
            let places = outcome.done.joined(separator: "; ")
            try console.line(
                plan.direction == .install
                    ? "Trusted now by: \(places). To take it back: inspect ca uninstall\(authority.option)"
                    : "Taken back from: \(places)."
            )
        }
        return outcome.failures.isEmpty
    }

    private func tell(_ failures: [String]) {
        for failure in failures { Console.remark("inspect: \(failure)") }
    }

    /// The root, expired or not: an expired root can still be uninstalled.
    private func root(_ direction: TrustChange.Direction) throws -> RootCertificate {
        do { return try authority.openRoot() } catch TrustError.expired(let place, let end) {
            guard direction == .uninstall, let root = try authority.files.existingRoot(now: end) else {
                throw TrustError.expired(root: place, on: end)
            }
            return root
        }
    }

    private func isAgreed(_ console: Console) throws -> Bool {
        if yes { return true }
        guard isatty(STDIN_FILENO) == 1, console.isTerminal else {
            throw InputError("this would run the commands above; say --yes to do so without being asked")
        }
        try Console.write(Array("Run these commands? [y/N] ".utf8), to: STDOUT_FILENO)
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}
