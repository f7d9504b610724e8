import Hummingbird
import Store
import Traffic

/// The facts about the running proxy: version, address, root certificate, and what could not be recorded.
struct InstanceRoutes {
    let store: StoreDoor
    let information: CurrentInformation
    let isRunning: Bool

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/instance") { _, _ in
            let (gaps, broken, isPaused) = try await store.read {
                (try $0.gaps(), try $0.brokenImports(), $0.isPaused)
            }
            return WebAnswer.json { json in
                write(gaps, isPaused, to: &json)
                json.array("brokenImports") { json in for row in broken { json.string(nil, row.warning) } }
            }
        }
    }

    /// Writes the answer's members; the times of gaps are written as in a listing.
    ///
    /// A proxy that runs on this store records, and can replay.
    private func write(_ gaps: [CaptureGap], _ isPaused: Bool, to json: inout JSONWriter) {
        let information = information.now
        json.string("version", information.version)
        json.boolean("recording", isRunning)
        json.boolean("paused", isPaused)
        json.string("proxy", information.proxy)
        json.string("caFile", information.caFile)
        json.string("caBundleFile", information.caBundleFile)
        json.string("caSystemFile", information.caSystemFile)
        json.string("caFingerprint", information.caFingerprint)
        json.string("store", information.storePath)
        information.writeWays(to: &json)
        information.writeClients(to: &json)
        json.array("gaps") { json in
            for gap in gaps {
                json.object { gap.write(to: &$0) }
            }
        }
    }
}
