import Hummingbird
import Traffic

/// The hosts that the running proxy passes through unread: lists them, adds one, removes one.
struct PassThroughRoutes {
    let control: (any ProxyControl)?

    private struct Asked: Decodable {
        var host: String
    }

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/pass-through") { _, _ in answer(try running()) }
        router.post("/api/v1/pass-through") { request, context in
            let asked = try await Asker(request, context).json(Asked.self, members: ["host"])
            let control = try running()
            do {
                try control.passThrough(asked.host)
            } catch let error as PassThroughError {
                throw WebFailure(.badRequest, "\(error).")
            }
            return answer(control)
        }
        router.delete("/api/v1/pass-through/{host}") { _, context in
            let host = context.text("host")
            let control = try running()
            guard control.readAgain(host) else {
                throw WebFailure(.notFound, "No host of this name is passed through; the list has the names as given.")
            }
            return answer(control)
        }
    }

    private func running() throws -> any ProxyControl {
        guard let control else {
            throw WebFailure(.conflict, "No proxy is running on this store, so nothing passes through it.")
        }
        return control
    }

    private func answer(_ control: any ProxyControl) -> Response {
        WebAnswer.json { json in
            json.array("hosts") { json in
                for host in control.passedThrough() {
                    json.object { json in
                        json.string("host", host.host)
                        json.boolean("added", host.isAdded)
                    }
                }
            }
        }
    }
}
