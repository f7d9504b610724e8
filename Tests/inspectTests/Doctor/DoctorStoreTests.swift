import Testing

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
}
