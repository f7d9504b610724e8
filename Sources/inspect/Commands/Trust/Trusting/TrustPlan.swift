import Foundation
import Traffic

/// The steps of `inspect ca install` and `uninstall` on this machine: shown, confirmed, then done place by place.
struct TrustPlan: Sendable {
    let direction: TrustChange.Direction
    let changes: [TrustChange]
    /// What was left out, and why: a line each.
    let notes: [String]
    /// The places that nothing is done for, because their tool is gone or did not say how they are: each with the remedy, safe to show.
    let failures: [String]
    private let machine: MachineStores
    private let authorityOption: String

    /// Finds the steps.
    ///
    /// - Parameters:
    ///   - direction: whether the root is installed or uninstalled.
    ///   - kinds: the kinds of places; empty means all that this machine has.
    ///   - machine: the machine and the root.
    ///   - undoFolder: keeps the state of the places before.
    ///   - authorityOption: the option that points another command to the same root, with a blank before it; empty for the default.
    /// - Throws: `InputError` when this machine has no place of a named kind.
    init(
        _ direction: TrustChange.Direction,
        _ kinds: [MachineStore.Kind],
        on machine: MachineStores,
        undoFolder: String,
        authorityOption: String = ""
    ) async throws {
        (self.direction, self.machine, self.authorityOption) = (direction, machine, authorityOption)
        var changes: [TrustChange] = []
        var notes: [String] = []
        var failures: [String] = []
        // Taken back in the other order: what came last may hold what came before.
        let order = direction == .install ? MachineStore.Kind.allCases : MachineStore.Kind.allCases.reversed()
        for kind in order where kinds.isEmpty || kinds.contains(kind) {
            let stores: [MachineStore]
            do { stores = try machine.stores(kind) } catch let error as InputError {
                guard kinds.isEmpty else { throw error }
                let note = "--\(kind.rawValue) is left out: \(error.description)"
                // Where the root was installed, it may be there still.
                if direction == .uninstall, Self.isNoted(kind, in: undoFolder) {
                    failures.append(VisibleText.line(note))
                } else {
                    notes.append(note)
                }
                continue
            }
            for store in stores {
                let folder = undoFolder + "/" + store.id
                do {
                    switch direction {
                    case .install:
                        if try await store.isTrusting(machine.rootPEM, environment: machine.environment) {
                            notes.append("already trusted by \(store.title)")
                        } else {
                            let isNameTaken = try await store.isNameTaken(environment: machine.environment)
                            notes += store.remarks
                            changes.append(
                                TrustChange(installing: store, undoFolder: folder, isNameTaken: isNameTaken)
                            )
                        }
                    case .uninstall:
                        let isThere = try await store.isInstalled(machine.rootPEM, environment: machine.environment)
                        guard isThere || UndoRecord.read(in: folder) != nil else { continue }
                        let digests = changes.reduce(into: [String: String]()) { all, change in
                            all.merge(change.givenBack) { _, later in later }
                        }
                        changes.append(
                            TrustChange(
                                uninstalling: store,
                                undoFolder: folder,
                                isInstalled: isThere,
                                after: digests
                            )
                        )
                    }
                } catch let error as InputError {
                    let again = Self.command(direction, store, authorityOption)
                    let problem = VisibleText.line("\(error)")
                    failures.append("nothing is done for \(store.title): \(problem); try again: \(again)")
                }
            }
        }
        (self.changes, self.notes, self.failures) = (changes, notes, failures)
    }

    /// Whether a place of a kind that the root was installed at is still there.
    private static func isNoted(_ kind: MachineStore.Kind, in undoFolder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: undoFolder)) ?? []
        return names.contains { name in
            guard name.hasPrefix(kind.rawValue) else { return false }
            let files = UndoRecord.read(in: undoFolder + "/" + name)?.files ?? []
            return files.contains { FileManager.default.fileExists(atPath: $0.path) }
        }
    }

    /// The commands as a shell script with a line of comment before each place's.
    var script: [String] {
        changes.flatMap { ["# \($0.store.title)"] + $0.commands }
    }

    /// Starts a program with its variables and waits for its end; returns its exit status, `nil` where it could not be started.
    typealias Start = (_ arguments: [String], _ environment: [String: String]) async throws -> Int32?

    /// The result of the commands.
    struct Outcome: Sendable {
        /// The titles of the places where it is done.
        fileprivate(set) var done: [String] = []
        /// The places where it failed: each with the remedy, safe to show.
        fileprivate(set) var failures: [String] = []
    }

    /// A signal ended a command, as the keys of the terminal send it.
    private struct Interruption: Error {
        let command: String
    }

    /// Runs the commands; each speaks for itself on the terminal.
    ///
    /// A place where one fails, or that is not as it should be then, keeps no other from its turn. An interrupted command is the last one.
    ///
    /// - Parameter start: has a shell run one of them.
    /// - Returns: where it is done, and where it failed.
    /// - Throws: what has nothing to do with a place, as a `CancellationError`.
    func run(
        _ start: Start = { try await SpawnedCommand(arguments: $0, environment: $1).run() }
    ) async throws -> Outcome {
        var outcome = Outcome()
        var isInterrupted = false
        for change in changes {
            let title = change.store.title
            guard !isInterrupted else {
                outcome.failures.append("nothing is done for \(title); \(remedy(change.store, isBegun: false))")
                continue
            }
            do {
                switch direction {
                case .install: try await install(change, start)
                case .uninstall: try await uninstall(change, start)
                }
                outcome.done.append(title)
            } catch let error as InputError {
                outcome.failures.append("\(title): \(VisibleText.line("\(error)")); \(remedy(change.store))")
            } catch let error as Interruption {
                isInterrupted = true
                outcome.failures.append("\(title): this was interrupted: \(error.command); \(remedy(change.store))")
            }
        }
        return outcome
    }

    private func install(_ change: TrustChange, _ start: Start) async throws {
        var record = change.recordBefore
        try record?.write(in: change.undoFolder)
        do {
            try await run(change, start)
            guard try await change.store.isTrusting(machine.rootPEM, environment: machine.environment) else {
                throw InputError("the commands ran, but the root is not trusted")
            }
        } catch {
            record?.finish()
            try? record?.write(in: change.undoFolder)
            throw error
        }
        record?.finish()
        try record?.write(in: change.undoFolder)
    }

    private func uninstall(_ change: TrustChange, _ start: Start) async throws {
        do { try await run(change, start) } catch let error as InputError {
            throw InputError("\(error); copies of what was there before are in \(change.undoFolder)")
        }
        let (store, pem, environment) = (change.store, machine.rootPEM, machine.environment)
        // Where the JDK follows the system, it trusts the root until that is taken out there too.
        guard try await store.isInstalled(pem, environment: environment),
            try await store.isTrusting(pem, environment: environment)
        else { return }
        throw InputError(
            "the commands ran, but it still trusts the root; take out by hand what else brought it there"
        )
    }

    private func run(_ change: TrustChange, _ start: Start) async throws {
        var environment = machine.environment.filter { !JavaRuntime.optionVariables.contains($0.key) }
        // The system's tools are where only root looks by default.
        environment["PATH"] = (environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
        for command in change.commands {
            let status = try await start(["/bin/sh", "-c", Self.trap + command], environment)
            if let status, [SIGINT, SIGQUIT, SIGTERM, SIGHUP].contains(status - 128) {
                throw Interruption(command: VisibleText.line(command))
            }
            guard status == 0 else { throw InputError("this failed: \(command)") }
        }
    }

    /// Has the shell tell of the terminal's keys: sudo, which they interrupt while it asks for the password, ends as where that is wrong.
    private static let trap = "trap 'exit \(128 + SIGINT)' INT QUIT; "

    /// What to do about a place whose command failed.
    private func remedy(_ store: MachineStore, isBegun: Bool = true) -> String {
        let again = "try again: \(Self.command(direction, store, authorityOption))"
        guard direction == .install, isBegun else { return again }
        return again + "; or take back what was done: \(Self.command(.uninstall, store, authorityOption))"
    }

    /// The command for the places of one kind alone.
    private static func command(
        _ direction: TrustChange.Direction,
        _ store: MachineStore,
        _ authorityOption: String
    ) -> String {
        "inspect ca \(direction.rawValue) --\(store.kind.rawValue)\(authorityOption)"
    }
}
