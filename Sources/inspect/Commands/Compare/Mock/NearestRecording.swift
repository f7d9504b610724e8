import Traffic

/// Finds the recording that is most like a request, and says in which parts they differ.
struct NearestRecording {
    /// Differences that an explanation names, at most.
    private static let differenceLimitCount = 12

    let recordings: Recordings

    /// Explains why nothing answers a request.
    func explain(_ request: MockRequest) throws -> MissExplanation {
        if request.asksForWebSocket {
            return MissExplanation(request: request, reason: "WebSockets are recorded but cannot be given again.")
        }
        guard let nearest = nearest(to: request) else {
            return MissExplanation(request: request, reason: "Nothing like it was recorded.")
        }
        var differences = Self.differences(request, nearest)
        if !recordings.isHost(of: request, nearest) {
            differences.insert(.init(part: "host", here: request.authority, recorded: nearest.authority), at: 0)
        }
        guard nearest.isAnswerable else {
            let what =
                nearest.outcome == .pending
                ? "had not ended" : "is a tunnel or a WebSocket, which cannot be given again"
            return MissExplanation(
                request: request,
                reason: "What was recorded \(what).",
                nearest: nearest,
                differences: differences
            )
        }
        if let body = try recordings.bodyDifference(request, nearest) {
            differences.append(
                .init(
                    part: "body",
                    here: body.here ?? Self.measure(Int64(request.body.count)),
                    recorded: body.recorded ?? Self.measure(nearest.requestBytes)
                )
            )
        }
        let what = differences.count == 1 ? "One part differs" : "\(differences.count) parts differ"
        return MissExplanation(
            request: request,
            reason: "\(what) from the nearest recording.",
            nearest: nearest,
            differences: Array(differences.prefix(Self.differenceLimitCount))
        )
    }

    /// The recording at the least distance, the newest among equals.
    private func nearest(to request: MockRequest) -> Recording? {
        var best: (recording: Recording, distance: Int)?
        for recording in recordings.all {
            let distance = distance(request, recording)
            if distance <= best?.distance ?? .max { best = (recording, distance) }
        }
        return best?.recording
    }

    /// Path first, then method and host, then each item of the query, then the size of the body.
    private func distance(_ request: MockRequest, _ recording: Recording) -> Int {
        var distance = recording.isAnswerable ? 0 : 1
        if recording.shape.path != request.shape.path {
            distance += 8 + 8 * Self.segmentDistance(request.shape.path, recording.shape.path)
        }
        if recording.shape.method != request.shape.method { distance += 6 }
        if !recordings.isHost(of: request, recording) { distance += 12 }
        if recording.shape.items != request.shape.items {
            distance += 2 * Set(recording.shape.items).symmetricDifference(request.shape.items).count
        }
        if recording.requestBytes != Int64(request.body.count) { distance += 1 }
        return distance
    }

    /// How many segments of two paths differ, place by place.
    private static func segmentDistance(_ left: String, _ right: String) -> Int {
        let (left, right) = (left.split(separator: "/"), right.split(separator: "/"))
        let differing = zip(left, right).count { $0.0 != $0.1 }
        return differing + abs(left.count - right.count)
    }

    private static func differences(_ request: MockRequest, _ nearest: Recording) -> [MissExplanation.Difference] {
        var differences: [MissExplanation.Difference] = []
        if nearest.shape.method != request.shape.method {
            differences.append(.init(part: "method", here: request.shape.method, recorded: nearest.method))
        }
        if nearest.shape.path != request.shape.path {
            differences.append(.init(part: "path", here: request.shape.path, recorded: nearest.shape.path))
        }
        let (here, recorded) = (byName(request.shape.items), byName(nearest.shape.items))
        for name in Set(here.keys).union(recorded.keys).sorted() where here[name] != recorded[name] {
            differences.append(
                .init(
                    part: "query",
                    here: here[name]?.joined(separator: "&"),
                    recorded: recorded[name]?.joined(separator: "&")
                )
            )
        }
        return differences
    }

    private static func byName(_ items: [String]) -> [Substring: [String]] {
        Dictionary(grouping: items) { Substring($0.utf8.prefix { $0 != UInt8(ascii: "=") }) }
    }

    private static func measure(_ bytes: Int64) -> String {
        bytes == 0 ? "none" : bytes.counted("byte")
    }
}
