import Foundation

/// The views behind the routes: each resource's answer to each method, once the request is let through.
struct WhatsOpenViews: Sendable {
    let time: WallTime
    private let hours: ServerHours
    private let representation: Representation
    private let fields: WhatsOpenFields

    init(time: WallTime, hours: ServerHours, version: FacilityAPIConfiguration.APIVersion) {
        self.time = time
        self.hours = hours
        representation = Representation(time: time, version: version)
        fields = WhatsOpenFields(version: version)
    }

    /// A view's answer, and a sentence its browsable page adds.
    struct Viewed: Sendable {
        let answer: Answer
        var remark: String?
    }

    /// The methods a target answers to, as `Allow` lists them.
    static func allowedMethods(of target: WhatsOpenTarget) -> [String] {
        switch (target.resource, target.key) {
        case (.schedules, nil): ["GET", "POST", "HEAD", "OPTIONS"]
        case (.schedules, _): ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]
        default: ["GET", "HEAD", "OPTIONS"]
        }
    }

    /// The framework's name of a target's view.
    static func name(of target: WhatsOpenTarget) -> String {
        guard let resource = target.resource else { return "Api Root" }
        return "\(resource.viewName) \(target.key == nil ? "List" : "Instance")"
    }

    /// Answers a request that negotiation, credentials and throttle let through.
    func answer(to request: IncomingRequest, at target: WhatsOpenTarget, data: WhatsOpenRecords) async -> Viewed {
        guard Self.allowedMethods(of: target).contains(request.method) else {
            return Viewed(answer: WhatsOpenErrors.methodNotAllowed(request.method))
        }
        switch request.method {
        case "OPTIONS": return Viewed(answer: metadata(of: target))
        case "GET", "HEAD":
            guard let resource = target.resource else { return Viewed(answer: root(request, base: target.base)) }
            let catalogue = await data.catalogue
            guard let key = target.key else {
                return Viewed(answer: .json(200, .array(list(of: resource, in: catalogue, for: request))))
            }
            return row(key, of: resource, in: catalogue, for: request)
        default:
            return Viewed(answer: await write(request, at: target, data: data))
        }
    }

    private func metadata(of target: WhatsOpenTarget) -> Answer {
        let description =
            switch target.resource {
            case .facilities: "Every facility with its location, category and schedules."
            case .alerts: "Alerts that are due; all_alerts in the query adds the others."
            case .categories: "The kinds of facility."
            case .locations: "The buildings and grounds that facilities are in."
            case .schedules: "The schedules that are not past, with their opening times."
            case nil: "The lists this API has."
            }
        return .json(
            200,
            [
                "name": .string(Self.name(of: target)), "description": .string(description),
                "renders": ["application/json", "text/html"],
                "parses": ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
            ]
        )
    }

    private func root(_ request: IncomingRequest, base: String) -> Answer {
        let names = WhatsOpenTarget.Resource.allCases.map(\.rawValue).sorted()
        return .json(
            200,
            .object(names.map { .init(name: $0, value: .string("\(request.origin)\(base)/\($0)/")) })
        )
    }

    private func list(
        of resource: WhatsOpenTarget.Resource,
        in catalogue: Catalogue,
        for request: IncomingRequest
    ) -> [JSON] {
        let query = request.query
        switch resource {
        case .facilities:
            var rows = catalogue.listedFacilities
            if query.has("open_now") { rows = rows.filter { hours.isOpen($0, at: request.now) } }
            if query.has("closed_now") { rows = rows.filter { !hours.isOpen($0, at: request.now) } }
            return Selection(fields: fields.facilities, time: time).rows(rows, matching: query)
                .map { representation.json($0, hidesSpecialDates: request.servesNullSpecials) }
        case .alerts:
            let due = catalogue.alerts.filter { query.has("all_alerts") || $0.isActive(at: request.now) }
            return Selection(fields: fields.alerts, time: time).rows(due, matching: query)
                .map { representation.json($0) }
        case .categories:
            let rows = catalogue.kinds.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            return Selection(fields: fields.kinds, time: time).rows(rows, matching: query)
                .map { representation.json($0) }
        case .locations:
            return Selection(fields: fields.places, time: time).rows(catalogue.places, matching: query)
                .map { representation.json($0) }
        case .schedules:
            let rows = catalogue.schedules.filter { schedule in schedule.validEnd.map { $0 >= request.now } ?? true }
                .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
            return Selection(fields: fields.schedules, time: time).rows(rows, matching: query)
                .map { representation.json($0) }
        }
    }

    private func row(
        _ key: String,
        of resource: WhatsOpenTarget.Resource,
        in catalogue: Catalogue,
        for request: IncomingRequest
    ) -> Viewed {
        if resource == .facilities {
            guard let row = catalogue.listedFacilities.first(where: { $0.facility.slug == key }) else {
                return Viewed(answer: WhatsOpenErrors.notFound)
            }
            let body = representation.json(row, hidesSpecialDates: request.servesNullSpecials)
            return Viewed(answer: .json(200, body), remark: remark(on: row, at: request.now))
        }
        let id = Int(key)
        let found: JSON? =
            switch resource {
            case .facilities: nil
            case .alerts:
                catalogue.alerts.first {
                    $0.id == id && (request.query.has("all_alerts") || $0.isActive(at: request.now))
                }
                .map { representation.json($0) }
            case .categories: catalogue.kinds.first { $0.id == id }.map { representation.json($0) }
            case .locations: catalogue.places.first { $0.id == id }.map { representation.json($0) }
            case .schedules: catalogue.schedules.first { $0.id == id }.map { representation.json($0) }
            }
        return Viewed(answer: found.map { .json(200, $0) } ?? WhatsOpenErrors.notFound)
    }

    /// When the facility is open, for the reader of its browsable page.
    private func remark(on row: ListedFacility, at now: Date) -> String? {
        guard let hours = OpeningHours(time: time).answer(for: row, at: now) else { return nil }
        if hours.isOpen { return "Open" + (hours.closes.map { ", closes \(time.rfc3339($0))" } ?? " around the clock") }
        return "Closed" + (hours.opensNext.map { ", opens \(time.rfc3339($0))" } ?? " for the coming week")
    }

    private func write(_ request: IncomingRequest, at target: WhatsOpenTarget, data: WhatsOpenRecords) async -> Answer {
        let id = target.key.map { Int($0) ?? -1 }
        if let id, !(await data.catalogue.schedules.contains { $0.id == id }) { return WhatsOpenErrors.notFound }
        if request.method == "DELETE" {
            let isGone = await data.remove(id ?? -1)
            return isGone ? Answer(204) : WhatsOpenErrors.notFound
        }
        let body: JSON
        switch RequestForm.read(request) {
        case .failure(let refused): return refused.answer
        case .success(let read): body = read
        }
        do throws(ScheduleDraft.Refusal) {
            let draft = try ScheduleDraft(
                reading: body,
                isPartial: request.method == "PATCH",
                time: time,
                now: request.now
            )
            if let id {
                let changed = await data.change(id, with: draft, at: request.now)
                return changed.map { .json(200, representation.json($0)) } ?? WhatsOpenErrors.notFound
            }
            guard let added = await data.add(draft, at: request.now) else {
                return .json(400, ["non_field_errors": ["This stand-in keeps no more schedules than it has."]])
            }
            return .json(201, representation.json(added))
        } catch {
            return .json(400, error.body)
        }
    }
}
