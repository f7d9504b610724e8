import Foundation
import Hummingbird
import Store
import Traffic

/// Tells whether the proxy records, and pauses and resumes recording.
struct RecordingRoutes {
    let store: StoreDoor
    let isRunning: Bool

    private struct Asked: Decodable {
        var paused: Bool
    }

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/recording") { _, _ in try await tell() }
        router.post("/api/v1/recording") { request, context in
            let asked = try await Asker(request, context).json(Asked.self, members: ["paused"])
            guard isRunning else {
                throw WebFailure(.conflict, "No proxy is running on this store, so it records nothing.")
            }
            let now = Moment.microseconds(store.now)
            try await store.read { try $0.setPaused(asked.paused, now: now) }
            return try await tell()
        }
    }

    private func tell() async throws -> Response {
        let (isPaused, gaps) = try await store.read { ($0.isPaused, try $0.gaps()) }
        return WebAnswer.json { json in
            json.boolean("recording", isRunning)
            json.boolean("paused", isPaused)
            json.array("gaps") { json in
                for gap in gaps { json.object { gap.write(to: &$0) } }
            }
        }
    }
}
