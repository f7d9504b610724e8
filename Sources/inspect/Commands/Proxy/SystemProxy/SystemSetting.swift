import Foundation
import Traffic

/// A setting of the system that says where traffic goes.
enum SystemSetting: Codable, Hashable, Sendable {
    /// A key of GNOME's settings; its value is as `gsettings` prints it, `nil` for the default.
    case gnome(schema: String, key: String)
    /// A proxy of a network service of macOS.
    case network(service: String, kind: NetworkProxyKind)
    /// A file; its value is its content, `nil` where the file does not exist.
    case file(path: String)
    /// A folder that a file needs; its value is empty, `nil` where the folder does not exist.
    case folder(path: String)

    /// The name of the place for a person.
    var place: String {
        switch self {
        case .gnome(let schema, let key): "\(schema) \(key)"
        case .network(let service, let kind): "\(service) \(kind.rawValue)"
        case .file(let path), .folder(let path): path
        }
    }

    /// The present value; `nil` where nothing is set.
    ///
    /// - Throws: `InputError` when the system does not say.
    func value(_ tools: SystemTools) throws -> String? {
        switch self {
        case .gnome(let schema, let key):
            let tool = try tools.gsettings()
            let value = try tool.run(["get", schema, key])
            // A setting without a value of its own has the default.
            let byDefault = try tool.run(["get", schema, key], adding: ["GSETTINGS_BACKEND": "memory"])
            return value == byDefault ? nil : value
        case .network(let service, let kind):
            return kind.value(printed: try tools.networksetup().run(["-get\(kind.rawValue)", service]))
        case .file(let path):
            guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        case .folder(let path):
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue ? "" : nil
        }
    }

    /// Sets the value; `nil` removes it.
    ///
    /// - Throws: `InputError` when the system did not take the value.
    func set(_ value: String?, _ tools: SystemTools) throws {
        switch self {
        case .gnome:
            for arguments in commands(for: value).map({ Array($0.dropFirst()) }) {
                _ = try tools.gsettings().run(arguments)
            }
            // Without a session nothing keeps the setting, and gsettings only warns of that.
            guard try self.value(tools) == value else {
                throw InputError(
                    "GNOME's settings did not take \(place); run this inside the desktop's session (DBUS_SESSION_BUS_ADDRESS), or leave them out with --only"
                )
            }
        case .network:
            for arguments in commands(for: value).map({ Array($0.dropFirst()) }) {
                _ = try tools.networksetup().run(arguments)
            }
        case .file(let path): try setFile(path, value)
        case .folder(let path):
            if value != nil {
                try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            } else {
                // `rmdir` removes only an empty folder.
                rmdir(path)
            }
        }
    }

    /// Whether the place no longer exists, so that nothing can be restored: the network service was removed.
    func isGone(_ tools: SystemTools) -> Bool {
        guard case .network(let service, _) = self, let services = try? tools.networkServices(withThoseOff: true) else {
            return false
        }
        return !services.contains(service)
    }

    private func setFile(_ path: String, _ value: String?) throws {
        guard let value else {
            guard unlink(path) == 0 || errno == ENOENT else {
                throw InputError("cannot remove \(path): \(String(cString: strerror(errno)))")
            }
            return
        }
        do {
            try Data(value.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw InputError("cannot write \(path): \(error.localizedDescription)")
        }
    }

    /// The commands that set a value by hand, each as its words.
    func commands(for value: String?) -> [[String]] {
        switch self {
        case .gnome(let schema, let key):
            return [value.map { ["gsettings", "set", schema, key, $0] } ?? ["gsettings", "reset", schema, key]]
        case .network(let service, let kind):
            return kind.arguments(for: service, value: value ?? "off").map { ["networksetup"] + $0 }
        case .file(let path):
            guard let value else { return [["rm", path]] }
            let lines = value.split(separator: "\n").map { "\(ShellWord(posix: String($0)))" }.joined(separator: " ")
            return [["sh", "-c", "printf '%s\\n' \(lines) > \(ShellWord(posix: path))"]]
        case .folder(let path): return [[value == nil ? "rmdir" : "mkdir", path]]
        }
    }
}
