import Foundation
import Traffic
import Trust

/// Sends this user's programs through a proxy by the system's own settings, and restores the settings.
///
/// Each change is recorded before it is made, so that the next process can restore what a killed process left behind.
struct SystemProxy: Sendable {
    let tools: SystemTools
    /// The file that records the changes.
    let path: String

    /// The settings of the user who runs this process.
    static var current: SystemProxy {
        SystemProxy(tools: .current, path: Places.current.directory + "/system-proxy.json")
    }

    /// How long to wait for another process, which may hold the lock for longer: each program that it runs may take 10 seconds.
    private static let lockDeadline: Duration = .seconds(30)

    /// Makes the changes of a plan; they stand until `off`, or until the owner calls `release` as it ends.
    ///
    /// The changes of an owner that was killed stand until another process calls `off`, `on` or `restoreLeftover`.
    ///
    /// - Parameters:
    ///   - plan: the changes.
    ///   - proxy: the proxy that the settings lead to.
    ///   - owner: the process that runs that proxy.
    ///   - isThere: whether the proxy still lets clients in. It is called after the last change, while the lock is held: a proxy that ends says so
    ///     before it restores the settings, and may have looked for changes before there were any.
    /// - Throws: `InputError` when the settings are another running proxy's, a change failed, or the proxy has ended; the error says whether
    ///   something stays changed.
    func on(
        _ plan: SystemProxyPlan,
        proxy: Endpoint,
        owner: ProcessMark,
        isThere: () throws -> Bool = { true }
    ) throws {
        try locked {
            if let record = try SystemProxyRecord.read(at: path) {
                guard !record.owner.isRunning || record.owner == owner else {
                    throw InputError(
                        "the system's proxy is set to \(record.proxy) of process \(record.owner.pid), which runs; 'inspect system-proxy off' takes that back first"
                    )
                }
                _ = try putBack(record)
            }
            let changes = try plan.steps.map {
                SystemProxyRecord.Change(setting: $0.setting, before: try $0.setting.value(tools), after: $0.value)
            }
            let record = SystemProxyRecord(proxy: "\(proxy)", owner: owner, changes: changes)
            try record.write(at: path)
            do {
                for change in changes { try change.setting.set(change.after, tools) }
                guard try isThere() else { throw InputError("the proxy ended meanwhile") }
            } catch {
                let reason = error
                let notes: [String]
                do { notes = try putBack(record) } catch { throw InputError("\(reason); \(error)") }
                // The first note would say a second time that nothing stays changed.
                let others = notes.dropFirst().map { "; \($0)" }.joined()
                throw InputError("\(reason); nothing stays changed\(others)")
            }
        }
    }

    /// Restores every setting that still has the value it was set to.
    ///
    /// - Parameter isMeant: whether the recorded changes are to be restored.
    /// - Returns: sentences for a person; none where nothing was set.
    /// - Throws: `InputError` naming the settings that could not be restored. The file keeps these for another try; all other settings are restored.
    func off(where isMeant: (SystemProxyRecord) -> Bool = { _ in true }) throws -> [String] {
        guard try SystemProxyRecord.read(at: path) != nil else { return [] }
        return try locked {
            // Another process may have restored the settings meanwhile, and changed them for its own proxy.
            guard let record = try SystemProxyRecord.read(at: path), isMeant(record) else { return [] }
            return try putBack(record)
        }
    }

    private func putBack(_ record: SystemProxyRecord) throws -> [String] {
        var notes = ["the system's proxy settings are as they were before \(record.proxy)"]
        var left: [SystemProxyRecord.Change] = []
        var failure: (any Error)?
        for change in record.changes.reversed() where change.before != change.after {
            do {
                let now = try change.setting.value(tools)
                if now == change.after {
                    try change.setting.set(change.before, tools)
                } else if now != change.before {
                    notes.append("\(change.setting.place) was changed by somebody else meanwhile, and is left so")
                }
            } catch {
                if change.setting.isGone(tools) {
                    notes.append("\(change.setting.place) is there no more")
                    continue
                }
                left.insert(change, at: 0)
                failure = failure ?? error
            }
        }
        if let failure {
            let places = left.map(\.setting.place).joined(separator: ", ")
            let said = "these settings may stay changed: \(places) (\(failure)); 'inspect system-proxy off' tries again"
            // The file must no longer name the settings that are restored already.
            do { try record.keeping(left).write(at: path) } catch { throw InputError("\(said); \(error)") }
            throw InputError(said)
        }
        try FileManager.default.removeItem(atPath: path)
        return notes
    }

    /// Restores the settings that an ended process left behind; returns sentences for a person.
    func restoreLeftover() -> [String] {
        do {
            var left: Int32?
            let notes = try off { record in
                guard !record.owner.isRunning else { return false }
                left = record.owner.pid
                return true
            }
            return notes.map { "process \(left ?? 0) ended without a word: \($0)" }
        } catch {
            return ["the system's proxy could not be put back: \(error)"]
        }
    }

    /// Restores the settings that were changed for this process; returns what went wrong, `nil` for nothing.
    func release() -> String? {
        do {
            _ = try off { $0.owner == .own }
            return nil
        } catch {
            return "the system's proxy could not be put back: \(error)"
        }
    }

    /// Runs a closure while no other process of this user changes the settings or their file.
    ///
    /// The lock is a folder of its own: the file's folder is also the store's, and a command that keeps marks there waits two seconds for its lock.
    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let folder = path + ".lock"
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let lock: DirectoryLock
        do { lock = try DirectoryLock(folder, deadline: Self.lockDeadline) } catch .busy {
            throw InputError("another program has held \(folder) for long; try again")
        } catch {
            throw InputError("cannot open \(folder): \(error)")
        }
        defer { lock.release() }
        return try body()
    }

    /// Reads what was set, and compares it with what the system says now.
    ///
    /// - Throws: `InputError` when the file of the changes cannot be read.
    func status() throws -> SystemProxyStatus {
        guard let record = try SystemProxyRecord.read(at: path) else { return SystemProxyStatus(changes: nil) }
        return SystemProxyStatus(
            changes: SystemProxyStatus.Changes(
                proxy: record.proxy,
                pid: record.owner.pid,
                isRunning: record.owner.isRunning,
                settings: record.changes.compactMap { change in
                    if case .folder = change.setting { return nil }
                    return SystemProxyStatus.Setting(place: change.setting.place, state: state(change))
                }
            )
        )
    }

    private func state(_ change: SystemProxyRecord.Change) -> SystemProxyStatus.State {
        do {
            let now = try change.setting.value(tools)
            return now == change.after ? .set : now == change.before ? .asBefore : .changed
        } catch {
            return .unknown(reason: "\(error)")
        }
    }
}
