import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Traffic
import Trust

extension Doctor {
    /// A program on this machine answers at once or not at all.
    private static let deadline = TimeAmount.seconds(5)
    private static let answerBytes = 1 << 20
    private static let defaultPort = 9_090

    /// Finds what is wrong with the running proxy.
    func proxy(_ root: RootCertificate?) async throws -> (InstanceFile?, [DoctorFinding]) {
        let running: InstanceFile?
        do { running = try InstanceFile.read(for: places.storePath) } catch {
            let path = InstanceFile.path(for: places.storePath)
            return (
                nil,
                [DoctorFinding("\(shown(path)) cannot be read", mend: "rm \(ShellWord(path)) && \(command("start"))")]
            )
        }
        guard let running else { return (nil, await absence()) }
        for listener in running.listeners {
            guard let place = ProxyPlace(address: listener.address), await isOpen(place.host, place.port) else {
                let problem = "the proxy (process \(running.pid)) takes no connection at \(shown(listener.address))"
                return (running, [DoctorFinding(problem, mend: again)])
            }
        }
        guard let state = await state(of: running) else {
            return (
                running,
                [
                    DoctorFinding(
                        "the proxy (process \(running.pid)) does not answer at \(shown(running.page))",
                        mend: "kill -9 \(running.pid); \(command("start"))"
                    )
                ]
            )
        }
        var findings: [DoctorFinding] = []
        if let root, state.caFingerprint != root.fingerprint {
            let problem =
                "the proxy (process \(running.pid)) signs with another root than that in \(shown(places.files.directory)), which clients trust"
            findings.append(DoctorFinding(problem, mend: again))
        }
        if state.paused {
            findings.append(
                DoctorFinding("recording is paused: what passes is not kept", mend: command("pause --remove"))
            )
        }
        return (running, findings)
    }

    /// Finds that no proxy runs on the store, and whether another program has the usual port.
    private func absence() async -> [DoctorFinding] {
        let isTaken = await isOpen("127.0.0.1", Self.defaultPort)
        let start = command(isTaken ? "start --port 0 --web-port 0" : "start")
        let none = DoctorFinding("no proxy runs on \(shown(places.storePath))", mend: start)
        guard isTaken else { return [none] }
        let taken = "another program has port \(Self.defaultPort), which the proxy takes where none is named"
        return [none, DoctorFinding(taken, mend: start)]
    }

    private struct State: Decodable {
        let caFingerprint: String
        let paused: Bool
    }

    private func state(of running: InstanceFile) async -> State? {
        var request = HTTPClientRequest(url: running.page + "/api/v1/instance")
        request.headers.add(name: "Authorization", value: "Bearer \(running.token)")
        guard let answer = try? await HTTPClient.shared.execute(request, timeout: Self.deadline),
            let body = try? await answer.body.collect(upTo: Self.answerBytes)
        else { return nil }
        return try? JSONDecoder().decode(State.self, from: Data(body.readableBytesView))
    }

    private func isOpen(_ host: String, _ port: Int) async -> Bool {
        let near = ProxyPlace(host: host, port: port).host
        let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(Self.deadline).connect(host: near, port: port).get()
        try? await channel?.close().get()
        return channel != nil
    }
}
