import Foundation
import Support
import Testing
import Traffic
import Trust

@testable import ProgramTests
@testable import inspect

/// What doctor makes of the machine's clock, at times that the machine does not have.
@Suite("A clock that is wrong", .timeLimit(.minutes(15)))
struct DoctorClockTests {
    @Test("A clock that was set back behind what was recorded is found")
    func clock() async throws {
        let directory = try TemporaryDirectory()
        let origin = try await RecordingOrigin.start()
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + [
                "--", "curl", "-s", "http://127.0.0.1:\(origin.port)/",
            ],
            in: directory
        )
        #expect(ran.status == 0, "\(ran.errors)")
        let places = Doctor.Places(
            storePath: RunningInspect.store(directory),
            files: TrustFiles(directory: directory.file("ca"))
        )
        #expect(Doctor(places: places, environment: [:], now: Date()).clock() == [])
        let late = Doctor(places: places, environment: [:], now: Date().addingTimeInterval(-3_600))
            .clock()
        #expect(late.map(\.mend) == ["sudo timedatectl set-ntp true"])
    }

    @Test(
        "A clock that all servers contradict is found; one server, this machine's own and kept answers say nothing",
        arguments: [
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\n", "192.0.2.1:443", 3, true),
            ("Date: Thu, 20 Nov 2025 16:02:03 GMT\r\n", "[2001:db8::1]:443", 4, true),
            ("Date: Thu, 20 Nov 2025 14:02:03 GMT\r\n", "192.0.2.1:443", 3, false),
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\n", "192.0.2.1:443", 2, false),
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\n", "127.0.0.1:443", 3, false),
            ("Date: Thu, 20 Nov 2025 12:02:03 GMT\r\nAge: 7200\r\n", "192.0.2.1:443", 3, false),
            ("Date: yesterday\r\n", "192.0.2.1:443", 3, false),
        ]
    )
    func servers(_ fields: String, _ address: String, _ count: Int, isFound: Bool) async throws {
        let store = try CapturedStore()
        var started: Int64 = 0
        for token in 1...count {
            var sample = Sample(CaptureToken(token), fields: fields)
            sample.exchange.upstream = Peer(token: 2, address: address, tls: nil)
            started = sample.exchange.timeline.started
            try await store.record(sample)
        }
        let places = Doctor.Places(
            storePath: store.path,
            files: TrustFiles(directory: store.file("ca"))
        )
        let now = Date(timeIntervalSince1970: Double(started) / 1_000_000 + 1)
        let findings = Doctor(places: places, environment: [:], now: now).clock()
        #expect(
            findings.map(\.mend) == (isFound ? ["sudo timedatectl set-ntp true"] : []),
            "\(findings)"
        )
        if isFound {
            #expect(
                findings[0].problem.contains(
                    "clock said 2025-11-20T14:02:03Z when api.example.test said 2025"
                )
            )
        }
    }
}
