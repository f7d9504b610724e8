import Foundation
import Store
import Support
import Testing
import Trust

@testable import inspect

/// What doctor makes of the disk that the store is on.
@Suite("The room that a disk has left", .timeLimit(.minutes(15)))
struct DoctorStoreTests {
    @Test(
        "A file system that knows no end has room, and ends nothing",
        arguments: [
            (2, 4_096, 8_192), (0, 4_096, 0), (.max, 4_096, .max), (.max, 1, .max), (1 << 51, 4_096, .max),
        ] as [(UInt64, UInt64, Int64)]
    )
    func room(blocks: UInt64, size: UInt64, bytes: Int64) {
        #expect(Doctor.bytes(blocks: blocks, of: size) == bytes)
    }

    @Test(
        "A full disk is cleared first; the store is compacted only where a second copy of it has room",
        arguments: [
            (256 << 20, 1, nil), (8_000_000, 0, "du -xh /d | sort -h | tail"),
            (8_000_000, 7_999_999, "inspect clear before:1d --yes && inspect store compact"),
            (8_000_000, 8_000_000, "inspect clear before:1d --yes"), (0, 1, "inspect clear before:1d --yes"),
        ] as [(Int64, Int64, String?)]
    )
    func full(free: Int64, stored: Int64, mend: String?) {
        let places = Doctor.Places(storePath: "/d/captures.db", files: TrustFiles(directory: "/d/ca"))
        let found = Doctor(places: places, environment: [:], now: Date()).room(in: "/d", free: free, stored: stored)
        #expect(found.map(\.mend) == (mend.map { [$0] } ?? []))
        #expect(found.allSatisfy { $0.problem == "the disk of /d has \(Measure.bytes(free)) left" })
    }

    @Test("A store that a link leads to is looked at where it is, as its disk is")
    func linked() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("far"), withIntermediateDirectories: false)
        let real = directory.file("far/captures.db")
        try TrafficStore(path: real, access: .writing).close()
        try FileManager.default.createSymbolicLink(atPath: directory.file("near.db"), withDestinationPath: real)
        let files = TrustFiles(directory: directory.file("ca"))
        let places = Doctor.Places(storePath: directory.file("near.db"), files: files)
        #expect(places.storePath == TrafficStore.file(named: real))
        // What is moved away is the store, not the link.
        let doctor = Doctor(places: places, environment: [:], now: Date())
        try Data("nothing of SQLite's".utf8).write(to: URL(filePath: real))
        let mends = doctor.store(nil).map(\.mend)
        #expect(mends.count == 1 && mends.allSatisfy { $0.contains("/far/damaged") }, "\(mends)")
    }
}
