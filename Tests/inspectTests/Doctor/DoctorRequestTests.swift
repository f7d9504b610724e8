import Foundation
import Testing
import Traffic
import Trust

@testable import inspect

@Suite("What doctor has its user run where its request does not pass", .timeLimit(.minutes(15)))
struct DoctorRequestTests {
    @Test(
        "A refusal is mended by its own option, and what leads elsewhere by leaving that out",
        arguments: [
            (.client, .notAllowed, "inspect stop --store s; inspect start --allow-local --store s --ca-directory c"),
            (
                .upstream, .refused,
                "inspect stop --store s; inspect start --store s --ca-directory c  # without the option that leads elsewhere"
            ),
        ] as [(ExchangeFailure.Side, Cause, String)]
    )
    func mends(side: ExchangeFailure.Side, cause: Cause, command: String) {
        let places = Doctor.Places(
            storePath: "/nowhere/captures.db",
            files: TrustFiles(directory: "/nowhere/ca"),
            storeOption: " --store s",
            authorityOption: " --ca-directory c"
        )
        let doctor = Doctor(places: places, environment: [:], now: Date())
        let failure = ExchangeFailure(side: side, phase: .connect, cause: cause, message: "It was refused.")
        #expect(doctor.mend(failure) == command)
    }
}
