import Foundation

/// The programs that read and write the system's settings, and this user's folder of settings.
struct SystemTools: Sendable {
    /// The process's variables.
    let environment: [String: String]
    /// The user's home directory.
    let home: String

    /// The tools of the user who runs this process.
    static var current: SystemTools {
        let environment = ProcessInfo.processInfo.environment
        return SystemTools(
            environment: environment,
            home: environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        )
    }

    /// The folder of settings (XDG Base Directory Specification, by which a relative value is ignored).
    var configuration: String {
        environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
    }

    /// GNOME's tool for settings.
    ///
    /// - Throws: `InputError` when the tool is not installed.
    func gsettings() throws -> SystemTool { try tool("gsettings") }

    /// The tool of macOS for network services.
    ///
    /// - Throws: `InputError` when this is not macOS.
    func networksetup() throws -> SystemTool { try tool("networksetup") }

    /// Whether GNOME's proxy settings can be changed: `gsettings` is installed and knows them, and a session keeps them.
    var hasGNOME: Bool {
        let runtime = environment["XDG_RUNTIME_DIR"] ?? ""
        let hasSession =
            environment["DBUS_SESSION_BUS_ADDRESS"] != nil || FileManager.default.fileExists(atPath: runtime + "/bus")
        guard hasSession, let tool = SystemTool("gsettings", environment: environment) else { return false }
        return (try? tool.run(["list-keys", SystemProxyPlan.gnomeSchema])) != nil
    }

    /// Whether this is macOS: the program that sets its network services is there.
    var hasNetworkServices: Bool { SystemTool("networksetup", environment: environment) != nil }

    /// Lists the network services that are on.
    ///
    /// - Parameter isAll: whether services that are off are included.
    /// - Returns: the names of the services.
    /// - Throws: `InputError` when the system does not say.
    func networkServices(withThoseOff isAll: Bool = false) throws -> [String] {
        // The first line explains the stars before those that are off.
        let lines = try networksetup().run(["-listallnetworkservices"]).split(separator: "\n").dropFirst()
        return lines.filter { isAll || !$0.hasPrefix("*") }.map { String($0.drop { $0 == "*" }) }
    }

    private func tool(_ name: String) throws -> SystemTool {
        guard let tool = SystemTool(name, environment: environment) else {
            throw InputError("there is no \(name) on this system")
        }
        return tool
    }
}
