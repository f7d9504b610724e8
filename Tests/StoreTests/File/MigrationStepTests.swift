import Crypto
import Testing

@testable import Store

@Suite("The steps between versions of the tables", .timeLimit(.minutes(15)))
struct MigrationStepTests {
    /// The SHA-256 of each step's text, by the version that it leads to.
    private static let digests: [Int32: String] = [
        2: "7a606410694a1407bf5730c898c3833a80e3f6c5a989a9454a750fba6d2e17c7",
        3: "8f273b09bc4f963e39dc3c3b546bb89f88780d13ee0f24578515a96467d88e27",
        4: "564b11d2e50f487b69dbb342de5390ccb3708d7c783a72ef64767aead68d9af7",
        5: "6109a2ad8dd29eb8baf4f5c2d3780f14aec593149b96b0d0d18691d729ea574d",
        6: "2de62987e758b094cc72892fcf04a02843d56187048d1be6057656bfa35420cf",
        7: "2653bb5f6a8f60e415626fba37963fec9dba3a6758d8f3d5c23b8cb302fbd2de",
        8: "11c96c709db0397a7470a4bafca3bdbd68d0290541841ab179a0fe14d35c2a0b",
    ]

    @Test("A step's text stays as it was first written", arguments: Schema.migrations.map(\.version))
    func frozen(version: Int32) throws {
        let step = try #require(Schema.migrations.first { $0.version == version })
        let digest = SHA256.hash(data: Array(step.sql.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(Self.digests[version] == digest.joined())
    }

    @Test("The steps lead from each version to the next, and each version has a stored file")
    func complete() {
        #expect(Schema.migrations.map(\.version) == Array(2...Schema.version))
        #expect(Set(Self.digests.keys) == Set(2...Schema.version))
        #expect(TemporaryStore.versions == 1...Int(Schema.version))
    }
}
