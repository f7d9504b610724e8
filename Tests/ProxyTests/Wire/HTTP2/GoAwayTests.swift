import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct GoAwayTests {
    private struct Seen: Decodable {
        let got: [String: String]
        let resets: [String: Int]
        let served: [String: [Int]]
        let contents: [String: [String]]
        let answered: [String: Int]
        let connections: Int
    }

    @Test("Streams that an upstream gives up or refuses are sent once more; those it keeps end on the old connection")
    func goesAway() async throws {
        try await RunningProxy.run { proxy in
            let arguments = [
                String(proxy.port), proxy.rootFile, Certificates.file("good.pem"), Certificates.file("good-key.pem"),
            ]
            let seen: Seen = try await PythonPeer.run("goaway.py", arguments)
            let paths = (0..<10).map { "/many\($0)" } + ["/refused"]
            #expect(seen.resets == [:])
            #expect(seen.got == Dictionary(uniqueKeysWithValues: paths.map { ($0, $0) }))
            #expect(seen.served.values.allSatisfy { $0.count == 1 }, "\(seen.served)")
            #expect((0..<5).allSatisfy { seen.served["/many\($0)"] == [1] })
            #expect((5..<10).allSatisfy { (seen.served["/many\($0)"]?.first ?? 1) > 1 })
            for path in paths {
                let content = "13579d".contains(path.last ?? " ") ? "content of \(path)" : ""
                let count = path == "/refused" || seen.served[path] != [1] ? 2 : 1
                #expect(seen.contents[path] == Array(repeating: content, count: count), "\(path)")
            }
            let records = try await proxy.sink.ended(paths.count)
            #expect(records.allSatisfy { $0.exchange.outcome == .completed && $0.exchange.code == 200 })
            let again = records.filter { $0.exchange.warnings.contains { $0.contains("sent again") } }
            #expect(again.count == 6)
            // The stream of the record is the one that answered, not that of the first try.
            for record in records {
                let target = record.exchange.target
                #expect(record.exchange.upstreamStream == seen.answered[target], "\(target)")
            }
        }
    }
}
