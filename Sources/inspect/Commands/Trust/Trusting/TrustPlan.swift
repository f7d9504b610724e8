import Foundation
import Traffic

/// What `inspect ca install` and `uninstall` do on this machine: shown first, asked for, then done.
struct TrustPlan: Sendable {
    let direction: TrustChange.Direction
    let changes: [TrustChange]
    /// What was left out, and why: a line each.
    let notes: [String]
    private let machine: MachineStores

    /// Finds out what is to be done.
    ///
    /// - Parameters:
    ///   - direction: which way.
    ///   - kinds: the places asked for; empty means all that this machine has.
    ///   - machine: the machine and the root.
    ///   - undoFolder: where what was there before is kept.
    /// - Throws: `InputError` when a place that was asked for by name is not there.
    init(
        _ direction: TrustChange.Direction,
        _ kinds: [MachineStore.Kind],
        on machine: MachineStores,
        undoFolder: String
    ) async throws {
        var changes: [TrustChange] = []
        var notes: [String] = []
        // Taken back in the other order: what came last may hold what came before.
        let order = direction == .install ? MachineStore.Kind.allCases : MachineStore.Kind.allCases.reversed()
        for kind in order where kinds.isEmpty || kinds.contains(kind) {
            let stores: [MachineStore]
            do { stores = try machine.stores(kind) } catch let error as InputError {
                guard kinds.isEmpty else { throw error }
                notes.append("--\(kind.rawValue) is left out: \(error.description)")
                continue
            }
            for store in stores {
                let folder = undoFolder + "/" + store.id
                let (pem, environment) = (machine.rootPEM, machine.environment)
                let isThere =
                    direction == .install
                    ? try await store.isTrusting(pem, environment: environment)
                    : try await store.isInstalled(pem, environment: environment)
                switch direction {
                case .install where isThere: notes.append("already trusted by \(store.title)")
                case .install:
                    notes += store.remarks
                    changes.append(
                        TrustChange(
                            installing: store,
                            undoFolder: folder,
                            isNameTaken: try await store.isNameTaken(environment: environment)
                        )
                    )
                case .uninstall where isThere || UndoRecord.read(in: folder) != nil:
                    changes.append(
                        TrustChange(
                            uninstalling: store,
                            undoFolder: folder,
                            isInstalled: isThere,
                            after: changes.reduce(into: [String: String]()) { all, change in
                                all.merge(change.givenBack) { _, later in later }
                            }
                        )
                    )
                case .uninstall: break
                }
            }
        }
        (self.direction, self.changes, self.notes, self.machine) = (direction, changes, notes, machine)
    }

    /// The commands as a shell script with a line of comment before each place's.
    var script: [String] {
        changes.flatMap { ["# \($0.store.title)"] + $0.commands }
    }

    /// Starts a program with its variables and waits for its end; returns its exit status, `nil` where it could not be started.
    typealias Start = (_ arguments: [String], _ environment: [String: String]) async throws -> Int32?

    /// Runs the commands; each speaks for itself on the terminal.
    ///
    /// - Parameter start: has a shell run one of them.
    /// - Throws: `InputError` at the first that fails, naming it and how to take back what was done, and at a place that is not as it should be then.
    func run(
        _ start: Start = { try await SpawnedCommand(arguments: $0, environment: $1).run() }
    ) async throws {
        for change in changes {
            guard direction == .install else {
                try await uninstall(change, start)
                continue
            }
            var record = change.recordBefore
            try record?.write(in: change.undoFolder)
            do { try await install(change, start) } catch {
                record?.finish()
                try? record?.write(in: change.undoFolder)
                throw error
            }
            record?.finish()
            try record?.write(in: change.undoFolder)
        }
    }

    private func install(_ change: TrustChange, _ start: Start) async throws {
        try await run(change, start)
        guard try await change.store.isTrusting(machine.rootPEM, environment: machine.environment) else {
            throw InputError(
                "the commands ran, but \(change.store.title) does not trust the root; take it back with 'inspect ca uninstall --\(change.store.kind.rawValue)'"
            )
        }
    }

    private func uninstall(_ change: TrustChange, _ start: Start) async throws {
        try await run(change, start)
        let (store, pem, environment) = (change.store, machine.rootPEM, machine.environment)
        // Where the JDK follows the system, it trusts the root until that is taken out there too.
        guard try await store.isInstalled(pem, environment: environment),
            try await store.isTrusting(pem, environment: environment)
        else { return }
        throw InputError(
            "the commands ran, but \(store.title) still trusts the root; take out by hand what else brought it there"
        )
    }

    private func run(_ change: TrustChange, _ start: Start) async throws {
        var environment = machine.environment
        // The system's tools are where only root looks by default; Java's say what they were told on standard error.
        environment["PATH"] = (environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/sbin:/sbin"
        environment["JAVA_TOOL_OPTIONS"] = nil
        for command in change.commands {
            let status = try await start(["/bin/sh", "-c", command], environment)
            guard status != 0 else { continue }
            let remedy =
                direction == .install
                ? "take back what was done with 'inspect ca uninstall --\(change.store.kind.rawValue)'"
                : "mend what it says and try again; copies of what was there before are in \(change.undoFolder)"
            throw InputError("this failed: \(VisibleText.line(command)); \(remedy)")
        }
    }
}
