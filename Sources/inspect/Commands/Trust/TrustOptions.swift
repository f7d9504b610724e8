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
    /// - Throws: `InputError` when it cannot be done or nobody can be asked.
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
        let plan = try await TrustPlan(direction, kinds, on: machine, undoFolder: folder)
        let console = Console()
        for note in plan.notes { Console.remark("inspect: note: \(VisibleText.line(note))") }
        guard !plan.changes.isEmpty else {
            try console.line(direction == .install ? "Nothing to install." : "Nothing to take back.")
            return try console.flush()
        }
        for line in plan.script { try console.line(line) }
        try console.flush()
        if isDry { return }
        guard try isAgreed(console) else {
            try console.line("Nothing was changed.")
            return try console.flush()
        }
        try await plan.run()
        let places = plan.changes.map(\.store.title).joined(separator: "; ")
        try console.line(
            direction == .install
                ? "Trusted now by: \(places). 'inspect ca uninstall' takes it back." : "Taken back from: \(places)."
        )
        try console.flush()
    }

    /// The root: one whose time is over can still be taken back.
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
