import Foundation
import Traffic
import Trust

/// Sends this user's programs through a proxy by the system's own settings, and puts everything back as it was.
///
/// It records each change before it makes it, so that the next process can restore what a killed process left behind.
struct SystemProxy: Sendable {
    let tools: SystemTools
    /// The file that records the changes.
    let path: String

    /// The settings of the user who runs this process.
    static var current: SystemProxy {
        SystemProxy(tools: .current, path: Places.current.directory + "/system-proxy.json")
    }

    /// The time that a change of all settings takes at most, with the system's programs.
    private static let lockDeadline: Duration = .seconds(30)

    /// Makes the changes of a plan, for as long as a process runs.
    ///
    /// - Parameters:
    ///   - plan: the changes.
    ///   - proxy: the proxy that the settings lead to.
    ///   - owner: the process that runs that proxy.
    ///   - isThere: whether the proxy still lets clients in. It is asked when all is set, before another process may set anything: a proxy that ends
    ///     says so before it puts the settings back, and may have looked for them already.
    /// - Throws: `InputError` when another running proxy has its settings there, a setting could not be made, or the proxy is there no more; it says
    ///   whether something stays changed.
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
                // The first one says that all is as it was, which is not all there is to say.
                let others = notes.dropFirst().map { "; \($0)" }.joined()
                throw InputError("\(reason); nothing stays changed\(others)")
            }
        }
    }

    /// Puts everything back that is still as it was set; returns what a person should know, nothing where nothing was set.
    ///
    /// - Parameter isMeant: whether what is noted is to be put back.
    /// - Returns: a sentence each.
    /// - Throws: `InputError` naming the settings that could not be put back; the others are, and the file keeps those for another try.
    func off(where isMeant: (SystemProxyRecord) -> Bool = { _ in true }) throws -> [String] {
        guard try SystemProxyRecord.read(at: path) != nil else { return [] }
        return try locked {
            // Another may have put it back meanwhile, and set its own.
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
            // Without it the file says of the others too that they are to be put back, which they are already.
            do { try record.keeping(left).write(at: path) } catch { throw InputError("\(said); \(error)") }
            throw InputError(said)
        }
        try FileManager.default.removeItem(atPath: path)
        return notes
    }

    /// Puts back what a process left behind that ended without doing so; returns what a person should know.
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

    /// Puts back what was set for this process; returns what went wrong.
    func release() -> String? {
        do {
            _ = try off { $0.owner == .own }
            return nil
        } catch {
            return "the system's proxy could not be put back: \(error)"
        }
    }

    /// Alone among the processes of this user: what one reads here, no other changes before it has written.
    ///
    /// The lock is a folder of its own. That of the file is where the store is as well, and its marks wait for its lock no longer than two seconds.
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
