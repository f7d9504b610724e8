/// The stand-in's own address, `/facility-api/`, where a script changes its data during a run; only this machine is listened to.
struct AdministrationAPI: Sendable {
    /// What administration paths begin with.
    static let base = "/facility-api"

    let desk: ChangeDesk

    /// Answers a request below the base: `POST /facility-api/change` makes changes, `GET /facility-api/` says which hold.
    func answer(to request: IncomingRequest) async -> Answer {
        guard ["127.0.0.1", "::1", "::ffff:127.0.0.1", "local"].contains(request.remoteAddress) else {
            return Self.problem(403, "changes are taken from this machine only")
        }
        // A page in a browser could send a form here; only a script sets this type (CORS, Fetch §2.2.2).
        switch (request.method, request.path) {
        case ("GET", Self.base), ("GET", Self.base + "/"): return .json(200, await state)
        case ("POST", Self.base + "/change"):
            guard request.header("Content-Type")?.lowercased().hasPrefix("application/json") == true else {
                return Self.problem(415, "send the change as application/json")
            }
            return await change(request)
        case (_, Self.base + "/change"): return Self.problem(405, "POST a change here").adding("Allow", "POST")
        default: return Self.problem(404, "there is POST \(Self.base)/change and GET \(Self.base)/")
        }
    }

    private func change(_ request: IncomingRequest) async -> Answer {
        do throws(FacilityAPIError) {
            var done: [String] = []
            for change in try FacilityChange.reading(String(decoding: request.body, as: UTF8.self)) {
                done.append(try await desk.take(change, at: request.now))
            }
            return .json(200, ["changed": .strings(done)])
        } catch {
            return Self.problem(400, error.description)
        }
    }

    private var state: JSON {
        get async {
            let current = await desk.current
            return [
                "waiting": .int(await desk.waitingCount),
                "fields": .array(
                    current.members.map { member in
                        [
                            "name": .string(member.name), "value": member.value ?? "(removed)",
                            "path": .string(member.path),
                        ]
                    }
                ),
                "statuses": .array(current.statuses.map { ["status": .int($0.code), "path": .string($0.path)] }),
            ]
        }
    }

    private static func problem(_ status: Int, _ sentence: String) -> Answer {
        .json(status, ["error": .string(sentence)])
    }
}
