import Foundation
import Support
import Testing

/// gRPC's own Python client and server talk through the proxy, over HTTP/2 with TLS and without, and each message is recorded.
@Suite(.timeLimit(.minutes(15))) struct GRPCTests {
    private static let script = """
        import sys, grpc
        from concurrent import futures
        root, certificate, key = sys.argv[1:]

        def both(requests, context):
            for request in requests:
                yield request * 2
            context.set_trailing_metadata((("x-sum", "9"),))

        class Handler(grpc.GenericRpcHandler):
            def service(self, call):
                if call.method == "/test.Echo/Both":
                    return grpc.stream_stream_rpc_method_handler(both)
                if call.method == "/test.Echo/Fail":
                    return grpc.unary_unary_rpc_method_handler(
                        lambda request, context: context.abort(grpc.StatusCode.NOT_FOUND, "no such thing"))

        server = grpc.server(futures.ThreadPoolExecutor(4), handlers=(Handler(),))
        if root:
            credentials = grpc.ssl_server_credentials([(open(key, "rb").read(), open(certificate, "rb").read())])
            port = server.add_secure_port("localhost:0", credentials)
        else:
            port = server.add_insecure_port("localhost:0")
        server.start()
        address = f"localhost:{port}"
        if root:
            channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(open(root, "rb").read()))
        else:
            channel = grpc.insecure_channel(address)
        call = channel.stream_stream("/test.Echo/Both")(iter([b"one", b"", b"x" * 100_000]), timeout=\(Patience.seconds(20)),
                                                       compression=grpc.Compression.Gzip)
        answers = [len(answer) for answer in call]
        assert answers == [6, 0, 200_000], answers
        assert ("x-sum", "9") in call.trailing_metadata(), call.trailing_metadata()
        try:
            channel.unary_unary("/test.Echo/Fail")(b"what", timeout=\(Patience.seconds(20)))
            raise SystemExit("it did not fail")
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.NOT_FOUND and error.details() == "no such thing", error
        channel.close()
        server.stop(0)
        print("done")
        """

    private struct Message: Decodable {
        let direction: String
        let label: String
        let status: Int?
        let size: Int
        let compressed: Bool
        let base64: String?
        let problem: String?
    }

    private struct Messages: Decodable { let messages: [Message] }

    @Test(
        "A stream of messages both ways and a call that fails are as direct, and recorded with their status",
        arguments: [true, false]
    )
    func talks(isSecure: Bool) async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let root = isSecure ? try await inspect.rootFile() : ""
        let result = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", Self.script, root, tls.certificateFile, tls.keyFile],
            environment: ["grpc_proxy": inspect.proxy, "no_grpc_proxy": "", "GRPC_DNS_RESOLVER": "native"],
            within: .seconds(60)
        )
        try #require(result.status == 0 && result.output.contains("done"), "\(result.errors)")
        let rows = try await inspect.listing(with: "both calls") { listing in
            listing.exchanges.filter { $0.outcome != "pending" && $0.target.hasPrefix("/test.Echo/") }.count == 2
        }.exchanges
        let both = try #require(rows.first { $0.target == "/test.Echo/Both" })
        #expect(
            both.protocol == "HTTP/2" && both.outcome == "completed" && both.scheme == (isSecure ? "https" : "http")
        )
        let messages = try await messages(of: both.id, inspect)
        let sent = messages.filter { $0.direction == "send" }
        #expect(sent.map(\.size) == [3, 0, 100_000] && sent.first?.base64 == Data("one".utf8).base64EncodedString())
        #expect(sent.contains { $0.compressed }, "The long one is worth compressing")
        let received = messages.filter { $0.direction == "receive" }
        #expect(received.map(\.label) == ["message", "message", "message", "trailers"])
        #expect(received.map(\.size).prefix(3) == [6, 0, 200_000] && received.last?.status == 0)
        #expect(messages.allSatisfy { $0.problem == nil })
        let failed = try #require(rows.first { $0.target == "/test.Echo/Fail" })
        #expect(failed.outcome == "completed" && failed.code == 200)
        let failure = try await self.messages(of: failed.id, inspect)
        #expect(failure.map(\.status) == [nil, 5])
    }

    private func messages(of id: Int, _ inspect: RunningInspect) async throws -> [Message] {
        let store = RunningInspect.store(inspect.directory)
        let shown = try await RunningInspect.run(
            ["show", "\(id)", "--messages", "--json", "--store", store],
            in: inspect.directory
        )
        return try JSONDecoder().decode(Messages.self, from: Data(shown.outputBytes)).messages
    }
}
