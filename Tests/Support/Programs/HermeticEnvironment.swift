import Foundation

/// The variables that a program of a test gets: the few that it needs, and nothing by which the person who runs the tests could change their outcome.
package enum HermeticEnvironment {
    /// The home of every program that is given no other: an empty directory, the same for the whole run, gone at its end.
    package static let home: String = {
        let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "inspect-home-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        atexit { try? FileManager.default.removeItem(atPath: HermeticEnvironment.home) }
        return path
    }()

    /// What passes, with these changes.
    ///
    /// `HOME` is `home`, and texts are in UTF-8 and nobody's language; a program in Swift that crashes says where, and what its other threads did.
    ///
    /// - Parameter changes: what is set, or taken away where it is nil.
    /// - Returns: the whole environment of the program.
    package static func variables(_ changes: [String: String?] = [:]) -> [String: String] {
        var variables = ProcessInfo.processInfo.environment.filter { passing.contains($0.key) }
        variables["HOME"] = home
        variables["LANG"] = "C.UTF-8"
        variables["SWIFT_BACKTRACE"] =
            "enable=yes,threads=all,limit=24,top=12,color=no,registers=none,images=none,interactive=no,sanitize=no,symbolicate=fast,cache=no"
        for (name, value) in changes { variables[name] = value }
        return variables
    }

    /// Where programs, their libraries and their temporary files are, who runs them, and the zone that this process reckons in.
    private static let passing: Set<String> = [
        "PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "TMPDIR", "USER", "LOGNAME", "TZ",
    ]
}
