import Testing

/// The time is passed in.
@Suite(.timeLimit(.minutes(15))) struct ClockReadTests {
    @Test("Nothing below the commands asks the machine for the time, but the clocks themselves")
    func sources() throws {
        let files = try Checkout.swiftFiles(under: "Sources")
        #expect(files.flatMap(HouseRules.clockReads) == [])
        // No exception outlives what it was made for.
        let asking = files.filter { HouseRules.clockFiles.contains($0.path) }.map {
            SourceFile(path: "Sources/Proxy/Thing.swift", text: $0.text)
        }
        #expect(asking.count == HouseRules.clockFiles.count)
        #expect(asking.allSatisfy { !HouseRules.clockReads($0).isEmpty })
    }

    @Test(
        "Each way to ask the machine for the time is found",
        arguments: [
            "let started = NIODeadline.now()", "let end: NIODeadline = .now() + limit", "f(now: Date())",
            "let began = ContinuousClock.now", "let began = ContinuousClock().now", "began.duration(to: .now)",
            "DispatchTime.now().uptimeNanoseconds", "Date.now", "Date(timeIntervalSinceNow: -5)",
            "clock_gettime(CLOCK_REALTIME, &time)", "let clock = ContinuousClock()", "where .now - last >= interval",
            "ProcessInfo.processInfo.systemUptime", "time(nil)", "last = .now", ".now()",
        ]
    )
    func offending(line: String) {
        #expect(lines(line, in: "Proxy") == [1] && lines(line, in: "Traffic") == [1])
        #expect(lines(line, in: "inspect").isEmpty)
    }

    @Test(
        "What only looks alike is not",
        arguments: [
            "let now = clock.now", "loop.now + .seconds(2)", "authority.now()", "self = .now(shift)",
            "case .now(let shift): return", "queue.asyncAfter(deadline: .now() + interval) {", "(watch?.now)",
            "clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)", "// NIODeadline.now()", "let text = \"Date()\"",
            "NIODeadline.uptimeNanoseconds(0)", "Date(timeIntervalSince1970: 0)", ".nowhere",
        ]
    )
    func innocent(line: String) {
        #expect(lines(line, in: "Proxy").isEmpty)
    }

    private func lines(_ text: String, in target: String) -> [Int] {
        HouseRules.clockReads(SourceFile(path: "Sources/\(target)/Thing.swift", text: text)).map(\.line)
    }
}
