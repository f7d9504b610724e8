import Foundation
import Support
import Testing
import Trust

@testable import inspect

@Suite("What doctor says of the variables of the shell", .timeLimit(.minutes(15)))
struct DoctorVariablesTests {
    private static func running(_ mode: String) -> InstanceFile {
        let listener = InstanceFile.Listener(mode: mode, address: "127.0.0.1:9090")
        return InstanceFile(
            pid: 1,
            proxy: listener.address,
            listeners: [listener],
            page: "http://127.0.0.1:9091/",
            token: "t",
            storePath: "/nowhere/store"
        )
    }

    @Test("They lead to a proxy only where it has a way in that they can lead to")
    func leads() throws {
        let directory = try TemporaryDirectory()
        let places = Doctor.Places(
            storePath: directory.file("store"),
            files: TrustFiles(directory: directory.file("ca"))
        )
        let doctor = Doctor(places: places, environment: ["https_proxy": "http://127.0.0.1:9090"], now: Date())
        #expect(doctor.leadingVariables(Self.running("explicit")) != nil)
        #expect(doctor.leadingVariables(Self.running("socks5")) == nil && doctor.leadingVariables(nil) == nil)
        let bare = Doctor(places: places, environment: [:], now: Date())
        #expect(bare.leadingVariables(Self.running("explicit")) == nil)
    }
}
