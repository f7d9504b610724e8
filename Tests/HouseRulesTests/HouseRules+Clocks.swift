extension HouseRules {
    /// The files below the commands that ask the machine for the time: the clocks that are passed in where no other is, and a stand-in server.
    ///
    /// The server signs a certificate that real clients hold to their own date, and tells how long a search took.
    static let clockFiles: Set<String> = [
        "Sources/Proxy/ProxyClock.swift", "Sources/Traffic/Seams/TimeSource.swift",
        "Sources/FacilityAPI/FacilityAPIConfiguration.swift", "Sources/FacilityAPI/FacilityAPIServer.swift",
        "Sources/FacilityAPI/Meetings/MeetingsAPI.swift",
    ]

    /// Below the commands the time comes from a clock that is passed in, so that a test can move it.
    ///
    /// A queue that is to do something after a while is told so by its own clock, which decides nothing.
    static func clockReads(_ file: SourceFile) -> [Violation] {
        guard let target = file.target, target != "inspect", target != "Benchmarks", !clockFiles.contains(file.path)
        else { return [] }
        return file.violations(
            of:
                /\b(?:NIODeadline|DispatchTime|DispatchWallTime|(?:Continuous|Suspending)Clock(?:\(\))?|Date)\.now\b|(?:^|[^\w)\]?}!])\.now\b(?:\(\)|(?!\())|\bDate\(\)|\b(?:Continuous|Suspending)Clock\(\)|\bclock_gettime\s*\(\s*CLOCK_(?:REALTIME|MONOTONIC)|\bgettimeofday\b|\btime\(nil\)|\bsystemUptime\b|[tT]imeIntervalSinceNow\b|\bCFAbsoluteTimeGetCurrent\b/,
            in: ".now",
            "Date()",
            "Clock()",
            "clock_gettime",
            "gettimeofday",
            "time(nil)",
            "systemUptime",
            "SinceNow",
            "CFAbsoluteTime",
            because: "asks the machine for the time; take it from the clock that is passed in"
        ).filter { !file.code.line($0.line).text.contains("asyncAfter(deadline: .now() +") }
    }
}
