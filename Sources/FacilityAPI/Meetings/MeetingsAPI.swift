import Foundation

/// The meeting server's one entry point, whose function is the first bare word of the query.
struct MeetingsAPI: Sendable {
    private let meetings = MeetingSeed.meetings()
    private let updates: MeetingUpdates

    /// A server whose data was refreshed some hours before an instant.
    init(now: Date) {
        updates = MeetingUpdates(last: now.addingTimeInterval(-5 * 3600))
    }

    /// The answer to one request; an unknown function is a teapot's.
    func answer(to request: IncomingRequest) async -> Answer {
        guard ["GET", "HEAD"].contains(request.method) else {
            return FaultAnswers.page(405, "Method Not Allowed").adding("Allow", "GET, HEAD")
        }
        guard let function = request.query.items.first?.name else { return .text(200, "") }
        switch function {
        case "query": return query(request.query)
        case "info": return .json(200, info(updated: await updates.last))
        case "update": return await update(request)
        default: return .text(418, "🫖")
        }
    }

    /// What `?update` says: who may collects the meetings anew, and gets their number, or 204 where that was done within the hour.
    private func update(_ request: IncomingRequest) async -> Answer {
        guard Credentials(authorization: request.header("Authorization")) == .editor else {
            return .text(403, "NOT AUTHORIZED")
        }
        guard await updates.update(at: request.now, isForced: request.query.has("force")) else { return Answer(204) }
        let collected = request.query.has("physical_only") ? meetings.filter { $0.venue != nil } : meetings
        return .json(200, ["number_of_meetings": .int(collected.count), "time_in_seconds": 0.87])
    }

    /// What `?query` says, as a search and its page.
    private func query(_ query: Query) -> Answer {
        let started = ContinuousClock.now
        guard let search = MeetingSearch(query) else { return .text(400, "INVALID IDS") }
        let (found, radius) = search.matches(in: meetings)
        if found.isEmpty { return .json(200, ["meta": ["total": 0], "meetings": []]) }
        let pageSize = query.has("page_size") ? max(0, query.integer("page_size") ?? 0) : found.count
        let pages = pageSize == 0 ? 0 : (found.count - 1) / pageSize + 1
        let page = min(max(0, query.integer("page") ?? 0), found.count)
        let first = min(page * min(pageSize, found.count), found.count)
        let shown = found[first...].prefix(pageSize)
        let elapsed = started.duration(to: .now) / .seconds(1)
        var meta: [JSON.Member] = [
            .init(name: "total", value: .int(found.count)),
            .init(name: "total_pages", value: .int(pages)),
            .init(name: "page_size", value: .int(pageSize)),
            .init(name: "page", value: .int(page)),
            .init(name: "starting_index", value: .int(first)),
            .init(name: "actual_size", value: .int(shown.count)),
            .init(name: "search_time", value: .double((elapsed * 10_000).rounded() / 10_000)),
        ]
        if let centre = search.centre {
            meta.append(.init(name: "center_lat", value: .double(centre.latitude)))
            meta.append(.init(name: "center_lng", value: .double(centre.longitude)))
            meta.append(.init(name: "radius_in_km", value: .double(radius ?? centre.radiusKM)))
        }
        return .json(
            200,
            [
                "meta": .object(meta),
                "meetings": .array(shown.map { $0.meeting.json(distanceKM: $0.distanceKM) }),
            ]
        )
    }

    private func info(updated: Date) -> JSON {
        func counts(_ meetings: [Meeting]) -> [JSON.Member] {
            Set(meetings.map(\.organization)).sorted().map { key in
                JSON.Member(name: key, value: .int(meetings.count { $0.organization == key }))
            }
        }
        let ids = MeetingSeed.serverNames.keys.sorted()
        let servers = ids.map { id in
            let own = meetings.filter { $0.serverID == id }
            return JSON.Member(
                name: String(id),
                value: [
                    "name": .optional(MeetingSeed.serverNames[id]),
                    "url": .string("https://region\(id).example/main_server/"),
                    "num_meetings": .int(own.count),
                    "organizations": .object(counts(own)),
                ]
            )
        }
        return [
            "server_version": "1.5.1",
            "last_update_timestamp": .int(Int(updated.timeIntervalSince1970)),
            "organizations": .object(
                [JSON.Member(name: "total_meetings", value: .int(meetings.count))] + counts(meetings)
            ),
            "server_ids": .array(ids.map { .int($0) }),
            "services": ["BMLT": ["service_name": "BMLT", "servers": .object(servers)]],
        ]
    }
}
