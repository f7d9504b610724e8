import Foundation
import Support
import Testing

@testable import Store

@Suite("Whose a store is", .timeLimit(.minutes(15)))
struct OwnershipTests {
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// The one sentence of a refusal.
    private func refusal(_ body: () throws -> Void) throws -> String {
        let error = try #require(throws: StoreError.self) { try body() }
        #expect(!error.description.contains("\n"))
        return error.description
    }

    private func chmod(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test(
        "Another user's file is not written to, whichever of the store's it is",
        arguments: ["", "-wal", "-shm", "-spool"]
    )
    func foreign(_ suffix: String) throws {
        try home.open().close()
        let file = home.path + suffix
        if !suffix.isEmpty { try Data().write(to: URL(filePath: file)) }
        let user = try ForeignOwner.give(file)
        // What is left of the files is this user's where he is not root, and so as foreign to who asks.
        let sentence = try refusal { try StoreFile(path: home.path, user: user).prepareForWriting() }
        #expect(
            sentence.contains("belongs to another user (number") && sentence.contains("as that user"),
            "\(sentence)"
        )
        if geteuid() == 0 { #expect(sentence.hasPrefix(file + " belongs"), "\(sentence)") }
    }

    @Test("Another user's store is read")
    func reading() throws {
        try home.open().close()
        let user = try ForeignOwner.give(home.path)
        try StoreFile(path: home.path, user: user).checkForReading()
    }

    @Test("Another user's lock is no lock: it is not taken, and names nobody")
    func foreignLock() throws {
        let store = try home.open()
        #expect(WriterLock.holder(ofStore: home.path) == getpid())
        let user = try ForeignOwner.give(home.path + ".lock")
        #expect(WriterLock.holder(ofStore: home.path, user: user) == nil)
        try store.close()
        let sentence = try refusal { _ = try WriterLock(path: home.path, user: user) }
        #expect(sentence.contains(".lock belongs to another user"), "\(sentence)")
    }

    @Test("A store that others may write to is read and not written, and the line says what to run")
    func open() throws {
        try home.open().close()
        try chmod(0o664, home.path)
        let sentence = try refusal { _ = try home.open() }
        #expect(sentence.contains("mode 664") && sentence.contains("chmod 600 "), "\(sentence)")
        try home.open(.reading).close()
    }

    @Test("A lock that others may open is not taken")
    func openLock() throws {
        try home.open().close()
        try chmod(0o666, home.path + ".lock")
        #expect(try refusal { _ = try home.open() }.contains(".lock is open to other users"))
        #expect(TrafficStore.writingProcess(at: home.path) == nil)
    }

    @Test("In a folder where everyone may replace a file nothing is written; a folder of one's own in it will do")
    func folder() throws {
        try chmod(0o777, home.directory)
        let own = home.directory + "/inspect/captures.db"
        #expect(throws: StoreError.openFolder(home.directory, own: own)) { try home.open() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.directory).isEmpty)
        try TrafficStore(path: own, access: .writing).close()
        try chmod(0o1777, home.directory)
        try home.open().close()
    }

    @Test("A pipe in the place of the lock or of the store holds nobody up", arguments: [".lock", ""])
    func pipe(_ suffix: String) throws {
        if !suffix.isEmpty { try home.open().close() }
        try? FileManager.default.removeItem(atPath: home.path + suffix)
        #expect(mkfifo(home.path + suffix, 0o600) == 0)
        #expect(TrafficStore.writingProcess(at: home.path) == nil)
        #expect(try refusal { _ = try home.open() }.contains("\(suffix) is not a file"))
        if suffix.isEmpty { #expect(try refusal { _ = try home.open(.reading) }.contains("is not a file")) }
    }

    @Test("A file with two names is not written: lock and log belong to one of them")
    func hardLink() throws {
        try home.open().close()
        let other = home.directory + "/other.db"
        try FileManager.default.linkItem(atPath: home.path, toPath: other)
        for path in [home.path, other] {
            #expect(try refusal { _ = try TrafficStore(path: path, access: .writing) }.contains("a hard link"))
        }
        try home.open(.reading).close()
        try FileManager.default.removeItem(atPath: other)
        try home.open().close()
    }

    @Test("Links are followed to the one name, also before there is a store: who writes by either keeps others out")
    func symbolicLinks() throws {
        let folder = home.directory + "/own"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: home.directory + "/folder", withDestinationPath: "own")
        try FileManager.default.createSymbolicLink(atPath: home.path, withDestinationPath: "folder/next.db")
        try FileManager.default.createSymbolicLink(atPath: folder + "/next.db", withDestinationPath: "real.db")
        let store = try home.open()
        #expect(store.path == TrafficStore.file(named: folder + "/real.db"))
        #expect(try refusal { _ = try TrafficStore(path: store.path, access: .writing) }.contains("is being written"))
        #expect(TrafficStore.writingProcess(at: folder + "/next.db") == getpid())
        try store.close()
        #expect(try !FileManager.default.contentsOfDirectory(atPath: home.directory).contains("captures.db.lock"))
    }

    @Test("Another user's link is not followed from a folder where anybody may put one: not to write, and not to read")
    func foreignLink() throws {
        try home.open().close()
        try SharedFolder.withName { link in
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.path)
            let owned = StoreFile(path: link)
            #expect(owned.path == TrafficStore.file(named: home.path))
            try owned.checkForReading()
            let user = try ForeignOwner.give(link)
            let file = StoreFile(path: link, user: user)
            for check in [file.prepareForWriting, file.checkForReading] {
                let sentence = try refusal(check)
                #expect(sentence.hasPrefix("\(link) is a link of another user's"), "\(sentence)")
                #expect(sentence.contains("name the file itself"), "\(sentence)")
            }
            // Only root can give it away in earnest.
            if user == geteuid() {
                let sentence = try refusal { _ = try TrafficStore(path: link, access: .writing) }
                #expect(sentence.contains("name the file itself"), "\(sentence)")
            }
        }
        // In a folder of one's own nobody lays anything.
        let link = home.directory + "/link.db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.path)
        try StoreFile(path: link, user: try ForeignOwner.give(link)).checkForReading()
    }

    @Test("Another user's link in the place of a folder on the way is not followed from there either")
    func foreignFolderLink() throws {
        let path = home.directory + "/own/deep/captures.db"
        try TrafficStore(path: path, access: .writing).close()
        try SharedFolder.withName { link in
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.directory + "/own")
            let name = link + "/deep/captures.db"
            #expect(TrafficStore.file(named: name) == TrafficStore.file(named: path))
            let file = StoreFile(path: name, user: try ForeignOwner.give(link))
            for check in [file.prepareForWriting, file.checkForReading] {
                let sentence = try refusal(check)
                #expect(sentence.hasPrefix("\(link) is a link of another user's"), "\(sentence)")
            }
        }
        // In a folder of one's own nobody lays anything.
        let link = home.directory + "/way"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "own")
        try StoreFile(path: link + "/deep/captures.db", user: try ForeignOwner.give(link)).checkForReading()
    }

    @Test("A link in the place of the log is not followed")
    func link() throws {
        try home.open().close()
        let other = home.directory + "/other"
        try Data("theirs".utf8).write(to: URL(filePath: other))
        try FileManager.default.createSymbolicLink(atPath: home.path + "-wal", withDestinationPath: other)
        #expect(try refusal { _ = try home.open() }.contains("-wal is not a file"))
        #expect(try Data(contentsOf: URL(filePath: other)) == Data("theirs".utf8))
    }
}
