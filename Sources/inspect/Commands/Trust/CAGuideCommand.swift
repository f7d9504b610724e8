import ArgumentParser
import Foundation
import Trust

/// `inspect ca` without more: where the root is, its fingerprint, and the commands that make programs trust it.
struct CAGuideCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guide",
        abstract: "Show where the root certificate is and how to trust it (also 'inspect ca' alone)."
    )

    @OptionGroup var authority: CAOptions

    func run() async throws {
        let console = Console()
        let root = try authority.openRoot()
        do {
            let environment = ProcessInfo.processInfo.environment
            try ClientTrust.keepBundle(of: root, in: authority.files, environment: environment)
        } catch { Console.remark("inspect: \(CommandFailure.sentence(error))") }
        try console.write(Array(TrustGuide(root: root, files: authority.files).text.utf8))
        try console.flush()
    }
}
