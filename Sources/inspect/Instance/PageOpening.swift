import Foundation
import Proxy

/// How an attempt ended to open the page of a running proxy in the user's own browser.
enum PageOpening: Equatable, Sendable {
    /// A program has the address, and shows the page.
    case opened
    /// Programs of this session have no screen; the page is at this port.
    case noDisplay(port: String)
    /// No program of this machine opens addresses.
    case noProgram
    /// The page could not be opened, with the reason as a sentence without a full stop.
    case failed(String)

    /// What opens an address in the user's browser, in the order of preference.
    private static var programs: [String] {
        #if canImport(Darwin)
        ["/usr/bin/open"]
        #else
        ["xdg-open", "x-www-browser"]
        #endif
    }

    /// Opens the page of a running proxy.
    ///
    /// The address holds a pass and not the token, because every user of the machine sees the arguments of a browser.
    ///
    /// - Parameters:
    ///   - page: the page's address, without a secret.
    ///   - environment: the variables of this process.
    ///   - pass: has the proxy make a pass.
    /// - Returns: how it ended.
    static func open(
        _ page: String,
        environment: [String: String],
        pass: () async throws -> String
    ) async -> PageOpening {
        guard Screen.isThere(environment) else {
            return .noDisplay(port: String(page.split(separator: ":").last ?? ""))
        }
        let found = programs.lazy.compactMap { ProgramFile.find($0, path: environment["PATH"]) }.first
        guard let program = found else { return .noProgram }
        do {
            try show("\(page)/?pass=\(try await pass())", by: program, environment)
            return .opened
        } catch {
            return .failed(CommandFailure.sentence(error))
        }
    }

    /// Opens the page of the instance that a file names.
    static func open(_ running: InstanceFile, environment: [String: String]) async -> PageOpening {
        struct Pass: Decodable { var pass: String }
        return await open(running.page, environment: environment) {
            try await InstanceClient(running).post("passes", as: Pass.self).pass
        }
    }

    /// What a person should know of it, as a sentence.
    var sentence: String {
        switch self {
        case .opened: "The page is open in your browser."
        case .noDisplay(let port):
            "There is no display here; after 'ssh -L \(port):127.0.0.1:\(port) HOST' the page's address works where you sit."
        case .noProgram: "No program here opens addresses, as xdg-open does; open the page's address in a browser."
        case .failed(let reason): "The page was not opened (\(reason)); open its address in a browser."
        }
    }

    /// Hands an address to a program in a session of its own, so that neither Ctrl-C nor the end of the proxy reaches the browser.
    private static func show(_ address: String, by program: String, _ environment: [String: String]) throws {
        var start = ProcessStart(
            // The shell ends at once, and the program is nobody's child then.
            arguments: ["/bin/sh", "-c", #""$0" "$1" > /dev/null 2>&1 &"#, program, address],
            // The page is not reached through the proxy.
            environment: environment.filter { !$0.key.lowercased().hasSuffix("_proxy") },
            isDetached: true
        )
        start.untouchedSignals = [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        do { _ = ProcessStart.end(try start.start()) } catch { throw InputError("cannot run /bin/sh: \(error)") }
    }
}
