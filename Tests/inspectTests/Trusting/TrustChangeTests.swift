import Foundation
import Support
import Testing

@testable import inspect

/// What is kept of a store that the root comes into, and what is given back: with a program in the place of NSS's `certutil` that writes a plain file.
@Suite("What taking the root back gives back", .timeLimit(.minutes(15)))
struct TrustChangeTests {
    private static let pem = "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n"
    /// Refuses to add anything while there is a file `refuses` beside it, half of the work done; trusts nothing while there is `untrusted`, takes nothing
    /// out while there is `keeps`, ends as at the deadline, unheard, while there is `hangs`, cannot read the file while there is `locked`, and shows
    /// nothing but certificates while there is `mute`.
    private static let certutil = #"""
        #!/bin/sh
        here=$(dirname "$0")
        for word; do case $word in sql:*) db=${word#sql:}/cert9.db ;; esac; done
        case $1 in
        -A) if [ -e "$here/refuses" ]; then echo half >> "$db"; exit 1; fi
            rm -f "$here/untrusted"; grep -q BEGIN "$db" || cat "$here/root.pem" >> "$db" ;;
        -D) [ -e "$here/keeps" ] || sed -i '/^-----BEGIN/,/^-----END/d' "$db" ;;
        -L) if [ -e "$here/hangs" ]; then kill -KILL $$; fi
            if [ -e "$here/locked" ]; then echo 'bad database'; exit 255; fi
            case "$*" in *' -a '*) ;; *) if [ -e "$here/mute" ]; then echo 'no flags'; exit 255; fi ;; esac
            cat "$db"; [ -e "$here/untrusted" ] || printf 'SSL Flags:\n    Trusted CA\nEmail Flags:\n' ;;
        esac
        """#

    private let directory: TemporaryDirectory
    private let machine: MachineStores

    init() throws {
        let directory = try TemporaryDirectory()
        let root = try directory.write(Self.pem, to: "root.pem")
        try directory.write(Self.certutil, to: "certutil")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.file("certutil"))
        try FileManager.default.createDirectory(
            atPath: directory.file("home/.pki/nssdb"),
            withIntermediateDirectories: true
        )
        self.directory = directory
        machine = MachineStores(
            rootFile: root,
            rootPEM: Self.pem,
            nickname: "inspect root",
            keyDigest: [1],
            environment: ["PATH": directory.path + ":/usr/bin:/bin", "HOME": directory.file("home")]
        )
        try write("before\n")
    }

    private static let database = "home/.pki/nssdb/cert9.db"
    private func write(_ text: String) throws { try directory.write(text, to: Self.database) }
    private var content: String { get throws { String(decoding: try directory.read(Self.database), as: UTF8.self) } }

    private func plan(_ direction: TrustChange.Direction, in folder: String = "undo") async throws -> TrustPlan {
        try await TrustPlan(direction, [.browser], on: machine, undoFolder: directory.file(folder))
    }

    private func run(_ direction: TrustChange.Direction, in folder: String = "undo") async throws {
        let plan = try await plan(direction, in: folder)
        for failure in try await plan.failures + failures(of: plan) { throw InputError(failure) }
    }

    private func failures(of plan: TrustPlan) async throws -> [String] {
        try await plan.run { words, environment in
            try await CommandLineTool.run(words[0], Array(words.dropFirst()), environment: environment).status
        }.failures
    }

    @Test("Installing that failed half way is given back, and not once something else has written since")
    func halfway() async throws {
        try directory.write("", to: "refuses")
        await #expect(throws: InputError.self) { try await run(.install) }
        #expect(try content == "before\nhalf\n")
        try await run(.uninstall)
        #expect(try content == "before\n")

        await #expect(throws: InputError.self) { try await run(.install) }
        try write("the browser's own\n")
        try await run(.uninstall)
        #expect(try content == "the browser's own\n")
    }

    @Test("A folder whose name does not show itself is one word to sh too, which has no escapes")
    func oddFolder() async throws {
        let odd = "un\u{202E}\u{1B}[1mdo"
        try await run(.install, in: odd)
        try await run(.uninstall, in: odd)
        #expect(try content == "before\n")
        #expect(try await plan(.uninstall, in: odd).changes.isEmpty)
    }

    @Test("Installing that was killed before its copies were made is begun anew, and taken back whole")
    func copies() async throws {
        // All that such a one leaves.
        let killed = try #require(try await plan(.install).changes.first)
        try killed.recordBefore?.write(in: killed.undoFolder)
        let script = try await plan(.uninstall).script
        #expect(script.contains { $0.contains("rm -rf") } && !script.contains { $0.contains("cp -a") }, "\(script)")
        try await run(.install)
        #expect(try content == "before\n" + Self.pem)
        try await run(.uninstall)
        #expect(try content == "before\n")
        #expect(try await plan(.uninstall).changes.isEmpty)
    }

    @Test("Installing that was killed says not what it left: nothing is given back in the place of what came since")
    func killed() async throws {
        let killed = try #require(try await plan(.install).changes.first)
        try killed.recordBefore?.write(in: killed.undoFolder)
        try directory.write("before\n", to: "undo/\(killed.store.id)/0-0")
        try write("the browser's own\n")
        try await run(.install)
        try await run(.uninstall)
        #expect(try content == "the browser's own\n")
    }

    @Test(
        "The root that a killed installing left is taken out, though it is in the copies of the next one",
        arguments: [false, true]
    )
    func left(isKilledAgain: Bool) async throws {
        let killed = try #require(try await plan(.install).changes.first)
        try killed.recordBefore?.write(in: killed.undoFolder)
        try directory.write("before\n", to: "undo/\(killed.store.id)/0-0")
        // The certificate came in, and was not trusted yet.
        try directory.write("", to: "untrusted")
        try write("before\n" + Self.pem)
        if isKilledAgain {
            let again = try #require(try await plan(.install).changes.first)
            try again.recordBefore?.write(in: again.undoFolder)
            try directory.write("before\n" + Self.pem, to: "undo/\(killed.store.id)/1-0")
        } else {
            try await run(.install)
        }
        try await run(.uninstall)
        #expect(try content == "before\n")
        #expect(try await plan(.uninstall).changes.isEmpty)
    }

    @Test("A copy that is not whole is not given back: the root alone is taken out")
    func torn() async throws {
        try await run(.install)
        let folder = try #require(try await plan(.uninstall).changes.first).undoFolder
        try Data("bef".utf8).write(to: URL(filePath: folder + "/0-0"))
        try await run(.uninstall)
        #expect(try content == "before\n")
    }

    @Test("A copy is given back, but not where there is another root of inspect's that cannot be read")
    func unreadableOther() throws {
        let bundle = try directory.write("before\n", to: "bundle.pem")
        func store(others: [String]) -> MachineStore {
            MachineStore(
                kind: .system,
                title: "a bundle",
                probe: .bundle(bundle),
                files: [bundle],
                install: [],
                uninstall: ["take it out"],
                others: others
            )
        }
        let undo = directory.file("undo")
        var record = UndoRecord(store(others: []), in: undo, over: nil)
        record.begin()
        try record.write(in: undo)
        try directory.write("before\n", to: "undo/0-0")
        try directory.write("before\n" + Self.pem, to: "bundle.pem")
        record.finish()
        try record.write(in: undo)
        func givenBack(beside others: [String]) -> [String] {
            let store = store(others: others)
            let change = TrustChange(uninstalling: store, undoFolder: undo, isInstalled: true, after: [:])
            return change.givenBack.keys.sorted()
        }
        #expect(givenBack(beside: []) == [bundle])
        #expect(givenBack(beside: [directory.file("gone.crt")]) == [])
    }

    @Test("A place that trusts the root after the commands ran is said, and not that it was taken back")
    func kept() async throws {
        try await run(.install)
        try write("the browser's own\n" + Self.pem)
        try directory.write("", to: "keeps")
        let problem = await #expect(throws: InputError.self) { try await run(.uninstall) }
        #expect(problem?.description.contains("still trusts the root") == true, "\(String(describing: problem))")
        try FileManager.default.removeItem(atPath: directory.file("keeps"))
        try await run(.uninstall)
        #expect(try content == "the browser's own\n")
    }

    @Test(
        "Where the tool does not answer, or cannot read the file, that is said, and not that there is nothing to take back any more",
        arguments: [("hangs", ": certutil did not answer"), ("locked", ": bad database")]
    )
    func unanswered(fault: String, end: String) async throws {
        try await run(.install)
        let known = try await plan(.uninstall)
        try directory.write("", to: fault)
        let said = end + "; try again: inspect ca uninstall --browser"
        let unknown = try await plan(.uninstall, in: "none")
        #expect(unknown.changes.isEmpty && unknown.failures.map { $0.hasSuffix(said) } == [true], "\(unknown.failures)")
        let unsure = try await failures(of: known)
        #expect(unsure.map { $0.hasSuffix(said) } == [true], "\(unsure)")
        try FileManager.default.removeItem(atPath: directory.file(fault))
        try await run(.uninstall)
        #expect(try content == "before\n")
    }

    @Test("Where the tool does not show whom a database trusts, it is not said that the root is not trusted")
    func unshown() async throws {
        try await run(.install)
        try directory.write("", to: "mute")
        let plan = try await plan(.install)
        #expect(plan.changes.isEmpty && plan.failures.map { $0.contains(": no flags; ") } == [true], "\(plan)")
    }

    #if os(Linux)
    @Test("From a database that a browser has open the root alone is taken out, and the file stays the same one")
    func open() async throws {
        try await run(.install)
        let browser = try FileHandle(forUpdating: URL(filePath: directory.file(Self.database)))
        let inUse = try await plan(.uninstall).script
        #expect(inUse.contains { $0.hasPrefix("certutil -D") } && !inUse.contains { $0.contains("mv -f") }, "\(inUse)")
        try browser.close()
        let closed = try await plan(.uninstall).script
        #expect(closed.contains { $0.contains("mv -f") }, "\(closed)")
    }
    #endif
}
