import Foundation
import Store
import Testing
import Traffic
import Trust

@testable import inspect

/// What the command line says of a store or a root that cannot be used: the sentence, and the option or command that helps.
@Suite("Errors with what the command line knows to do", .timeLimit(.minutes(15)))
struct AdvisedErrorTests {
    @Test(
        "A store that cannot be used",
        arguments: [
            (.missing(path: "/s"), "there is no store at /s yet; run `inspect start` or name another one with --store"),
            (.empty(path: "/s"), "the store /s is empty; run `inspect start` or name another one with --store"),
            (
                .newer(path: "/s"),
                "the store /s was made by a newer inspect; use that one, or name another store with --store"
            ),
            (
                .older(path: "/s"),
                """
                the store /s was made by an older inspect; run `inspect start` or `inspect store compact` on it once \
                to bring it up to date
                """
            ),
            (
                .foreign(path: "/s", isDatabase: true),
                "/s is an SQLite database of another program; it was left as it is: name another file with --store"
            ),
            (
                .foreign(path: "/s", isDatabase: false),
                "/s is not a store; it was left as it is: name another file with --store"
            ),
            (
                .altered(path: "/s", "it has a trigger"),
                """
                the store /s was changed by another program (it has a trigger); undo that, or use a copy from before it, or name \
                another store with --store
                """
            ),
            (.notAFile(path: "/s"), "/s is not a file; name a file with --store"),
            (
                .unopenable(path: "/s", reason: "no"),
                "cannot open /s: no; check who owns it and its directory, or name another store with --store"
            ),
            (
                .noFolder("/d"),
                "cannot make the directory /d; check who owns the one above it, or name another store with --store"
            ),
            (
                .foreignLink("/l"),
                """
                /l is a link of another user's, in a folder where anybody may put one; name the file itself with \
                --store
                """
            ),
            (
                .openFolder("/d", own: "/d/inspect/s"),
                """
                every user of this machine may replace the files in /d; take a folder of your own in it \
                (--store /d/inspect/s), or a store on another disk
                """
            ),
            (
                .hardLink(path: "/s"),
                "/s has a second name (a hard link); remove that one, or name a copy with --store"
            ),
            (
                .untrusted(path: "/s", .mode(0o664)),
                "/s is open to other users of this machine (mode 664); run chmod 600 /s"
            ),
            (
                .untrusted(path: "/s", .owner(7)),
                "/s belongs to another user (number 7); write to it as that user, or name another store with --store"
            ),
            (
                .untrusted(path: "/s", .notAFile),
                "/s is not a file; remove it, or name another store with --store"
            ),
        ] as [(StoreError, String)]
    )
    func file(error: StoreError, words: String) {
        #expect(error.told == words)
        #expect(CommandFailure.sentence(error) == words)
    }

    @Test(
        "A lock that cannot be had",
        arguments: [
            (
                .noLock(path: "/s.lock", reason: "no"),
                "cannot make /s.lock: no; check the directory, or name another store with --store"
            ),
            (
                .untrustedLock(path: "/s.lock", .mode(0o666)),
                """
                /s.lock is open to other users of this machine (mode 666); remove it, or name another store with \
                --store
                """
            ),
            (
                .unlockable(path: "/s.lock", reason: "no"),
                "cannot lock /s.lock: no; name a store on another disk with --store"
            ),
            (
                .beingWritten(path: "/s", process: 12),
                "the store /s is being written by process 12; stop it, or name another store with --store"
            ),
            (
                .beingWritten(path: "/s", process: nil),
                "the store /s is being written by another process; stop it, or name another store with --store"
            ),
        ] as [(StoreError, String)]
    )
    func lock(error: StoreError, words: String) {
        #expect(error.told == words)
    }

    @Test(
        "A store that fails while it is read or written",
        arguments: [
            (
                .damage,
                ": it is damaged; keep a copy, then try `sqlite3 FILE .recover`, or name another file with --store"
            ),
            (.fullDisk, ": the disk is full; free some space"),
            (.locked, ": another program holds it locked; close that program and try again"),
            (
                .noAccess,
                ": check that you may read and write the file and its directory, or name another one with --store"
            ),
            (.other, ": if it persists, name another file with --store"),
        ] as [(StoreError.Failure, String)]
    )
    func failure(_ failure: StoreError.Failure, words: String) {
        let error = StoreError.failed(path: "/s", message: "no", failure)
        #expect(error.told == "the store /s cannot be used (no)" + words)
    }

    @Test("A store that can be read alone is told with the way into another store")
    func unwritable() {
        #expect(
            StoreError.unwritable(path: "/s", "the number 0 of an exchange").told == """
                the store /s can be read, but not written (the number 0 of an exchange); write all of it to a file with \
                `inspect export --format json -o FILE`, and take that into another store with `inspect import FILE --store OTHER`
                """
        )
    }

    @Test(
        "A root that cannot be used",
        arguments: [
            (
                .unusable(path: "/ca", reason: "no"),
                "/ca cannot be used: no. Fix that, or choose another place with --ca-directory."
            ),
            (
                .foreign(path: "/ca", owner: 7),
                """
                /ca belongs to another user (number 7), who may have the root's key. Run this as that user, or choose \
                another place with --ca-directory.
                """
            ),
            (
                .openToOthers(path: "/ca", mode: 0o755, wanted: 0o700),
                "/ca is open to other users of this machine (mode 755). Run: chmod 700 /ca"
            ),
        ] as [(TrustError, String)]
    )
    func root(error: TrustError, words: String) {
        #expect(error.told == words)
        #expect(CommandFailure.sentence(error) == words.dropLast(words.hasSuffix(".") ? 1 : 0))
    }

    @Test("An error without advice is told as it stands")
    func plain() {
        #expect(StoreError.readOnly(path: "/s").told == "the store /s is open for reading only")
        #expect(InputError("no").told == "no")
    }
}
