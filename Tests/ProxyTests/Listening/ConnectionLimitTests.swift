import Proxy
import Support
import Testing
import Traffic

/// How many clients may be connected at once.
@Suite(.timeLimit(.minutes(15)))
struct ConnectionLimitTests {
    @Test("At the limit a further client waits, on every listener, and is served when another leaves")
    func waits() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        let request = "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
        try await RunningProxy.run(configure: {
            WaysInTests.listening(.explicit, .explicit)(&$0)
            $0.connectionLimitCount = 2
        }) { proxy in
            var served: [RawClient] = []
            for port in proxy.ports {
                let client = try await RawClient.connect(port: port)
                try await client.send(request)
                #expect(try await client.response().text == "ok")
                served.append(client)
            }
            var waiting: [RawClient] = []
            for port in proxy.ports + proxy.ports {
                let client = try await RawClient.connect(port: port)
                try await client.send(request)
                waiting.append(client)
            }
            // Those who are in go on as before, again and again, and nobody else is answered meanwhile.
            for _ in 0..<20 {
                for client in served {
                    try await client.send(request)
                    #expect(try await client.response().text == "ok")
                }
            }
            #expect(waiting.allSatisfy { $0.soFar.unread.isEmpty && !$0.soFar.isEnded })
            #expect(origin.connections.count <= 2)
            for client in served { try await client.close() }
            // Which of them comes first is not promised; each that leaves makes room for another.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in waiting {
                    group.addTask {
                        #expect(try await client.response().text == "ok")
                        try await client.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
