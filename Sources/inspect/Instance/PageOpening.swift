import Foundation
import NIOPosix
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
            let address = "\(page)/?pass=\(try await pass())"
            // It holds its thread for a second, in which the page has to answer the browser.
            try await NIOThreadPool.singleton.runIfActive { try show(address, by: program, environment) }
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

    /// Starts a program and watches it for a second: the script ends with the program's status where that ends, and else leaves it to itself.
    private static let script = """
        "$0" "$1" > /dev/null 2>&1 &
        for look in 1 2 3 4 5; do
            sleep 0.2
            kill -0 $! 2> /dev/null || { wait $!; exit; }
        done
        """

    /// Hands an address to a program in a session of its own, so that neither Ctrl-C nor the end of the proxy reaches the browser.
    ///
    /// - Throws: `InputError` where the program cannot be run, or failed at once.
    private static func show(_ address: String, by program: String, _ environment: [String: String]) throws {
        var start = ProcessStart(
            arguments: ["/bin/sh", "-c", script, program, address],
            // The page is not reached through the proxy.
            environment: environment.filter { !$0.key.lowercased().hasSuffix("_proxy") },
            isDetached: true
        )
        start.untouchedSignals = [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT]
        let shell: pid_t
        do { shell = try start.start() } catch { throw InputError("cannot run /bin/sh: \(error)") }
        if let status = ProcessStart.end(shell), status != 0 { throw InputError("\(program) ended with \(status)") }
    }
}
