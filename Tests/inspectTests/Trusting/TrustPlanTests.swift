import Foundation
import Support
import Testing

@testable import inspect

/// Three databases of browsers, and a program in the place of NSS's `certutil` that writes plain files and fails at one of them.
@Suite("The places where the root comes in are done each by itself", .timeLimit(.minutes(15)))
struct TrustPlanTests {
    private static let pem = "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n"
    /// Of a database with a file `hangs` it ends as at the deadline, unheard; it changes none with a file `refuses`.
    ///
    /// With a file `prompts` it ends as sudo does that is interrupted while it asks for the password: the keys reach its shell too, where there is one.
    private static let certutil = #"""
        #!/bin/sh
        for word; do case $word in sql:*) folder=${word#sql:} ;; esac; done
        case $1 in
        -A) if [ -e "$folder/prompts" ]; then [ "$PPID" = "$RUNNER" ] || kill -INT "$PPID"; exit 1; fi
            [ ! -e "$folder/refuses" ] && cat "${0%/*}/root.pem" >> "$folder/cert9.db" ;;
        -D) [ ! -e "$folder/refuses" ] && sed -i '/^-----BEGIN/,/^-----END/d' "$folder/cert9.db" ;;
        -L) if [ -e "$folder/hangs" ]; then kill -KILL $$; fi
            cat "$folder/cert9.db"; printf 'SSL Flags:\n    Trusted CA\nEmail Flags:\n' ;;
        esac
        """#
    private static let folders = [
        "home/.pki/nssdb", "home/.local/share/pki/nssdb", "home/.mozilla/firefox/abc.default",
    ]
    private static let option = " --ca-directory d"

    private let directory: TemporaryDirectory
    private let machine: MachineStores

    init() throws {
        let directory = try TemporaryDirectory()
        let root = try directory.write(Self.pem, to: "root.pem")
        try directory.write(Self.certutil, to: "certutil")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.file("certutil"))
        for folder in Self.folders {
            try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
            try directory.write("before\n", to: folder + "/cert9.db")
        }
        self.directory = directory
        machine = MachineStores(
            rootFile: root,
            rootPEM: Self.pem,
            nickname: "inspect root",
            keyDigest: [1],
            environment: ["PATH": directory.path + ":/usr/bin:/bin", "HOME": directory.file("home")]
        )
    }

    /// The titles of the databases, in the order in which they are done.
    private var titles: [String] {
        Self.folders.map { folder in
            "\(folder.contains("firefox") ? "Firefox" : "Chromium and Chrome") (\(directory.file(folder)))"
        }
    }

    /// Which databases hold the root.
    private var held: [Bool] {
        Self.folders.map { PEMFile(path: directory.file($0 + "/cert9.db")).holds(Self.pem) }
    }

    private func plan(_ direction: TrustChange.Direction) async throws -> TrustPlan {
        try await TrustPlan(
            direction,
            [.browser],
            on: machine,
            undoFolder: directory.file("undo"),
            authorityOption: Self.option
        )
    }

    private func run(_ plan: TrustPlan) async throws -> TrustPlan.Outcome {
        try await plan.run { words, environment in
            try await CommandLineTool.run(words[0], Array(words.dropFirst()), environment: environment).status
        }
    }

    private func command(_ direction: TrustChange.Direction) -> String {
        "inspect ca \(direction.rawValue) --browser" + Self.option
    }

    @Test("One that cannot be asked is left as it is, and told with the command that tries it again")
    func unanswered() async throws {
        let fault = Self.folders[0] + "/hangs"
        try directory.write("", to: fault)
        let installing = try await plan(.install)
        let told = "nothing is done for \(titles[0]): certutil did not answer; try again: "
        #expect(installing.failures == [told + command(.install)])
        let installed = try await run(installing)
        #expect(installed.done == Array(titles.dropFirst()) && installed.failures.isEmpty)
        #expect(held == [false, true, true])

        try FileManager.default.removeItem(atPath: directory.file(fault))
        #expect(try await run(plan(.install)).done == [titles[0]])
        try directory.write("", to: fault)
        let removing = try await plan(.uninstall)
        #expect(removing.failures == [told + command(.uninstall)])
        let removed = try await run(removing)
        #expect(removed.done == Array(titles.dropFirst()) && removed.failures.isEmpty)
        #expect(held == [true, false, false])
    }

    @Test("One where a command fails is told with what to do, and the others are done")
    func refused() async throws {
        let fault = Self.folders[0] + "/refuses"
        try directory.write("", to: fault)
        let installed = try await run(plan(.install))
        #expect(installed.done == Array(titles.dropFirst()))
        let line = try #require(installed.failures.first)
        #expect(installed.failures.count == 1 && line.hasPrefix("\(titles[0]): this failed: certutil -A "), "\(line)")
        let remedy = "; try again: \(command(.install)); or take back what was done: \(command(.uninstall))"
        #expect(line.hasSuffix(remedy), "\(line)")

        try FileManager.default.removeItem(atPath: directory.file(fault))
        #expect(try await run(plan(.install)).done == [titles[0]])
        // What the browser wrote since keeps the copy from being given back.
        for folder in Self.folders { try directory.write("since\n" + Self.pem, to: folder + "/cert9.db") }
        try directory.write("", to: fault)
        let removed = try await run(plan(.uninstall))
        #expect(removed.done == Array(titles.dropFirst()))
        let kept = try #require(removed.failures.first)
        #expect(removed.failures.count == 1 && kept.hasPrefix("\(titles[0]): this failed: certutil -D "), "\(kept)")
        #expect(kept.hasSuffix("; try again: \(command(.uninstall))"), "\(kept)")
        #expect(held == [true, false, false])
    }

    @Test("A command that is interrupted is the last one, and what was not done is told")
    func interrupted() async throws {
        let begun = Watched(0)
        let outcome = try await plan(.install).run { _, _ in
            begun.update { $0 += 1 }
            return 128 + SIGINT
        }
        #expect(begun.value == 1 && outcome.done.isEmpty)
        #expect(outcome.failures.first?.hasPrefix("\(titles[0]): this was interrupted: ") == true)
        let rest = titles.dropFirst().map { "nothing is done for \($0); try again: \(command(.install))" }
        #expect(Array(outcome.failures.dropFirst()) == rest)
    }

    @Test("A command that says nothing of its interruption is the last one too")
    func interruptedPrompt() async throws {
        try directory.write("", to: Self.folders[0] + "/prompts")
        let outcome = try await plan(.install).run { words, environment in
            // Unlike Debian's sh, this one gives its place to a command that is all it has to run.
            let variables = environment.merging(["RUNNER": "\(getpid())"]) { $1 }
            return try await CommandLineTool.run("bash", Array(words.dropFirst()), environment: variables).status
        }
        #expect(outcome.done.isEmpty && outcome.failures.count == 3, "\(outcome)")
        #expect(outcome.failures.first?.hasPrefix("\(titles[0]): this was interrupted: certutil -A ") == true)
    }

    @Test("One whose tool is gone may hold the root still, so it is not said that there is nothing to take back")
    func gone() async throws {
        #expect(try await run(plan(.install)).failures.isEmpty)
        let bare = MachineStores(
            rootFile: machine.rootFile,
            rootPEM: machine.rootPEM,
            nickname: machine.nickname,
            keyDigest: machine.keyDigest,
            environment: ["PATH": directory.file("home"), "HOME": directory.file("home")]
        )
        let line = "--browser is left out: " + NSSDatabase.certutilMissing
        let removing = try await TrustPlan(.uninstall, [], on: bare, undoFolder: directory.file("undo"))
        #expect(removing.changes.isEmpty && removing.failures == [line], "\(removing.failures)")
        let fresh = try await TrustPlan(.uninstall, [], on: bare, undoFolder: directory.file("none"))
        #expect(fresh.failures.isEmpty && fresh.notes.contains(line), "\(fresh.notes)")
    }
}
