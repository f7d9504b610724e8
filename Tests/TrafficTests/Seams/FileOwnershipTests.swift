import Foundation
import Testing
import Traffic

@Suite("Whose a file is", .timeLimit(.minutes(15)))
struct FileOwnershipTests {
    private func status(_ kind: mode_t, _ mode: mode_t, of owner: uid_t) -> stat {
        var status = stat()
        (status.st_mode, status.st_uid) = (kind | mode, owner)
        return status
    }

    @Test(
        "A file is believed where it is this user's or root's, and others may do no more than they should",
        arguments: [
            (500, 0o600, FileOwnership.Others.mayNothing, nil), (0, 0o600, .mayNothing, nil),
            (501, 0o600, .mayNothing, FileOwnership.Problem.owner(501)), (501, 0o644, .mayRead, .owner(501)),
            (500, 0o644, .mayRead, nil), (500, 0o664, .mayRead, .mode(0o664)), (500, 0o646, .mayRead, .mode(0o646)),
            (500, 0o640, .groupMayRead, nil), (500, 0o644, .groupMayRead, .mode(0o644)),
            (500, 0o660, .groupMayRead, .mode(0o660)), (500, 0o640, .mayNothing, .mode(0o640)),
            (0, 0o644, .mayNothing, .mode(0o644)),
        ] as [(uid_t, mode_t, FileOwnership.Others, FileOwnership.Problem?)]
    )
    func file(_ owner: uid_t, _ mode: mode_t, _ others: FileOwnership.Others, _ problem: FileOwnership.Problem?) {
        #expect(FileOwnership.problem(of: status(S_IFREG, mode, of: owner), others: others, user: 500) == problem)
    }

    @Test("Root believes no other user's file either")
    func root() {
        let theirs = status(S_IFREG, 0o600, of: 500)
        #expect(FileOwnership.problem(of: theirs, others: .mayRead, user: 0) == .owner(500))
    }

    @Test("What is no file is none, whosever it is", arguments: [S_IFIFO, S_IFDIR, S_IFSOCK, S_IFCHR, S_IFLNK])
    func kinds(_ kind: mode_t) {
        #expect(FileOwnership.problem(of: status(kind, 0o600, of: 500), others: .mayRead, user: 500) == .notAFile)
    }

    @Test("In a folder that all may write to, files stay where they are only if it is sticky")
    func folders() {
        for (mode, isOpen) in [(0o777, true), (0o1777, false), (0o775, false), (0o755, false), (0o733, true)] {
            #expect(FileOwnership.isOpenToAll(folder: status(S_IFDIR, mode_t(mode), of: 0)) == isOpen, "\(mode)")
        }
        let own = status(S_IFDIR, 0o700, of: 500)
        #expect(FileOwnership.problem(ofPrivateFolder: own, user: 500) == nil)
        #expect(FileOwnership.problem(ofPrivateFolder: own, user: 501) == .owner(500))
        #expect(FileOwnership.problem(ofPrivateFolder: status(S_IFDIR, 0o750, of: 500), user: 500) == .mode(0o750))
    }

    @Test("What another user laid into a shared directory is none of ours")
    func strangers() {
        // Of /tmp, of one that is open to all, of a directory of a group, and of one's own.
        for (mode, isFollowed) in [(0o1777 as mode_t, false), (0o777, false), (0o1770, true), (0o700, true)] {
            for (owner, isOurs) in [(500 as uid_t, true), (0, true), (501, isFollowed)] {
                let link = status(S_IFLNK, 0o777, of: owner)
                #expect(
                    FileOwnership.isOurs(link, in: status(S_IFDIR, mode, of: 0), user: 500) == isOurs,
                    "\(owner) in \(String(mode, radix: 8))"
                )
            }
        }
    }
}
