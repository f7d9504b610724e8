import Foundation
import Traffic

/// Sends this user's programs through a proxy by the system's own settings, and puts everything back as it was.
///
/// What is changed is written down first, so that a process that was killed in between leaves nothing behind that the next one could not mend.
struct SystemProxy: Sendable {
    let tools: SystemTools
    /// The file of what was changed.
    let path: String

    /// That of the user who runs this process.
    static var current: SystemProxy {
        SystemProxy(tools: .current, path: Places.current.directory + "/system-proxy.json")
    }

    /// Changes what a plan says, for as long as a process runs.
    ///
    /// - Throws: `InputError` when another running proxy has its settings there, or a setting could not be made; then nothing stays changed.
    func on(_ plan: SystemProxyPlan, proxy: Endpoint, owner: ProcessMark) throws {
        if let record = try SystemProxyRecord.read(at: path) {
            guard !record.owner.isRunning || record.owner == owner else {
                throw InputError(
                    "the system's proxy is set to \(record.proxy) of process \(record.owner.pid), which runs; 'inspect system-proxy off' takes that back first"
                )
            }
            _ = try off()
        }
        let changes = try plan.steps.map {
            SystemProxyRecord.Change(setting: $0.setting, before: try $0.setting.value(tools), after: $0.value)
        }
        try SystemProxyRecord(proxy: "\(proxy)", owner: owner, changes: changes).write(at: path)
        do {
            for change in changes { try change.setting.set(change.after, tools) }
        } catch {
            _ = try? off()
            throw error
        }
    }

    /// Puts everything back that is still as it was set; returns what a person should know, nothing where nothing was set.
    ///
    /// - Throws: `InputError` when a setting could not be put back; then the file stays for another try.
    func off() throws -> [String] {
        guard let record = try SystemProxyRecord.read(at: path) else { return [] }
        var notes = ["the system's proxy settings are as they were before \(record.proxy)"]
        for change in record.changes.reversed() where change.before != change.after {
            let now = try change.setting.value(tools)
            if now == change.after {
                try change.setting.set(change.before, tools)
            } else if now != change.before {
                notes.append("\(change.setting.place) was changed by somebody else meanwhile, and is left so")
            }
        }
        try FileManager.default.removeItem(atPath: path)
        return notes
    }

    /// Puts back what a process left behind that ended without doing so; returns what a person should know.
    func restoreLeftover() -> [String] {
        do {
            guard let record = try SystemProxyRecord.read(at: path), !record.owner.isRunning else { return [] }
            return try off().map { "process \(record.owner.pid) ended without a word: \($0)" }
        } catch {
            return ["the system's proxy could not be put back: \(error)"]
        }
    }

    /// Puts back what was set for this process; returns what went wrong.
    func release() -> String? {
        do {
            if try SystemProxyRecord.read(at: path)?.owner == .own { _ = try off() }
            return nil
        } catch {
            return "the system's proxy could not be put back: \(error)"
        }
    }

    /// How it stands, a line each.
    ///
    /// - Throws: `InputError` when a setting cannot be read.
    func status() throws -> [String] {
        guard let record = try SystemProxyRecord.read(at: path) else { return ["off: inspect has set nothing"] }
        let owner = "process \(record.owner.pid)"
        let first =
            record.owner.isRunning
            ? "on: \(record.proxy) of \(owner)"
            : "left behind: \(record.proxy) of \(owner), which is gone; 'inspect system-proxy off', or the next start, puts it back"
        return try [first]
            + record.changes.map { change in
                let now = try change.setting.value(tools)
                if case .folder = change.setting { return "" }
                let state =
                    now == change.after ? "set" : now == change.before ? "as before" : "changed by somebody else"
                return "  \(change.setting.place): \(state)"
            }.filter { !$0.isEmpty }
    }
}
