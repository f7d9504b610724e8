import Foundation

/// The programs of this package, as built beside the tests.
package enum Executable {
    /// The path of the built `inspect`.
    ///
    /// - Throws: when it is not there: a test target that asks for it must depend on it.
    package static func inspect() throws -> String {
        for folder in folders() {
            let path = folder.appending(path: "inspect").path
            if FileManager.default.isExecutableFile(atPath: path) { return path }
        }
        throw CommandLineTool.Missing(name: "inspect beside the tests")
    }

    /// Where the running tests stand: the test program's folder, or the one round its bundle on macOS.
    private static func folders() -> [URL] {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let programs = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }].compactMap {
            $0
        }
        return (bundles + programs).map { $0.resolvingSymlinksInPath().deletingLastPathComponent() }
    }
}
