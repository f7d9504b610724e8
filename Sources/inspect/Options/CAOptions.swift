import ArgumentParser
import Foundation
import Traffic
import Trust

/// `--ca-directory`: where this user's root certificate and its key are.
struct CAOptions: ParsableArguments {
    @Option(
        name: .customLong("ca-directory"),
        help: ArgumentHelp(
            "The directory of the root certificate and its key.",
            discussion:
                "Default: $INSPECT_CA_DIRECTORY, else ca under $XDG_DATA_HOME/inspect (~/.local/share/inspect).",
            valueName: "dir"
        ),
        completion: .directory
    )
    private var given: String?

    /// The path as given; `nil` for the default.
    var named: String? { given }

    /// The option that points another command to the same directory, with a blank before it; empty for the default.
    var option: String { given.map { " --ca-directory \(ShellWord($0))" } ?? "" }

    /// The directory's path, named or by default.
    var directory: String { given ?? Places.current.certificates }

    /// The options that name the root of a running proxy: its clients have to trust that root, not the one of this command.
    func signing(_ place: ProxyPlace) -> CAOptions {
        var options = self
        if let directory = place.certificates { options.given = directory }
        return options
    }

    /// The files in the directory.
    var files: TrustFiles { TrustFiles(directory: directory) }

    /// Opens the root, and makes it when there is none yet.
    func openRoot() throws -> RootCertificate {
        try files.openRoot(hostName: CAOptions.hostName, now: Date())
    }

    /// This machine's name, which the root carries so that the roots of several machines differ.
    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? "localhost"
    }

    mutating func validate() throws {
        if given?.isEmpty == true { throw ValidationError("--ca-directory has an empty value; name a directory") }
    }
}
