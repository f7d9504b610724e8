import Foundation
import Lenses
import NIOCore
import Traffic

/// Facilities, alerts and captures of a test's making.
enum CampusSample {
    /// The campus's zone.
    static let zone = TimeZone(identifier: "America/New_York") ?? .gmt

    /// Facility A: overnight seven days, the weekend from 10:30, Sunday's entry running into Monday.
    static let overnight: [String] =
        (0..<5).map { entry($0, "07:00:00", ($0 + 1) % 7, "02:00:00") }
        + [entry(5, "10:30:00", 6, "02:00:00"), entry(6, "10:30:00", 0, "02:00:00")]

    /// An entry of a schedule.
    static func entry(_ startDay: Int, _ start: String, _ endDay: Int, _ end: String) -> String {
        #"{"schedule":1,"modified":"2018-08-21T09:46:16.992915-04:00","start_day":\#(startDay),"end_day":\#(endDay),"#
            + #""start_time":"\#(start)","end_time":"\#(end)"}"#
    }

    /// The same hours on some days.
    static func entries(_ days: some Sequence<Int>, _ start: String, _ end: String) -> [String] {
        days.map { entry($0, start, $0, end) }
    }

    static func schedule(
        _ entries: [String] = [],
        name: String = "Fall",
        from: String? = nil,
        to: String? = nil,
        allDay: Bool = false
    ) -> String {
        let date = { (text: String?) in text.map { "\"\($0)\"" } ?? "null" }
        return
            #"{"id":1,"open_times":[\#(entries.joined(separator: ","))],"modified":"2019-01-24T13:03:27.330517-05:00","#
            + #""name":"\#(name)","valid_start":\#(date(from)),"valid_end":\#(date(to)),"twenty_four_hours":\#(allDay)}"#
    }

    /// A facility as JSON; `more` is written before its closing brace.
    static func json(
        _ slug: String = "southside",
        name: String = "Southside",
        main: String? = nil,
        specials: [String] = [],
        region: String = "fairfax",
        coordinates: String = "[-77.306,38.832]",
        classifier: String = "\"shopmason\"",
        more: String = ""
    ) -> String {
        #"{"slug":"\#(slug)","facility_name":"\#(name)","logo":"","facility_location":{"id":7,"building":"Tidewater Hall","#
            + #""friendly_building":"","address":"4349B Chesapeake River Wy","campus_region":"\#(region)","on_campus":true,"#
            + #""coordinate_location":{"type":"Point","coordinates":\#(coordinates)}},"#
            + #""facility_category":{"id":4,"name":"café"},"phone_number":"703-691-4090","#
            + #""facility_product_tags":["donuts","coffee"],"facility_classifier":\#(classifier),"tapingo_url":"","note":"","#
            + #""main_schedule":\#(main ?? schedule()),"special_schedules":[\#(specials.joined(separator: ","))]\#(more)}"#
    }

    /// A facility with a main schedule and specials.
    static func facility(_ entries: [String], specials: [String] = [], allDay: Bool = false) throws -> Facility {
        try facility(json: json(main: schedule(entries, allDay: allDay), specials: specials))
    }

    static func facility(json: String) throws -> Facility {
        guard let facility = Facility(try JSONReader.value(Array(json.utf8))) else { throw NoFacility() }
        return facility
    }

    /// A moment, local to the campus unless it says its zone.
    static func moment(_ text: String, in zone: TimeZone = zone) throws -> Date {
        guard let micros = Moment.parse(text, now: 0, zone: zone) else { throw NoFacility() }
        return Date(timeIntervalSince1970: Double(micros) / 1_000_000)
    }

    /// How a facility stands at a moment.
    static func status(_ facility: Facility, _ text: String) throws -> FacilityStatus {
        let now = try moment(text)
        return OpeningHours(facility, around: now, clock: CampusClock(zone, around: now)).status(at: now)
    }

    /// What a client says at a moment.
    static func verdict(_ client: HoursClient, _ facility: Facility, _ text: String) throws -> HoursVerdict {
        let now = try moment(text)
        let clock = CampusClock(zone, around: now)
        return client.verdict(of: facility, at: clock.local(now), clock: clock)
    }

    /// How wrong a client is in the week of a moment.
    static func week(_ client: HoursClient, _ facility: Facility, _ text: String = "2026-09-16T12:00") throws
        -> WeekComparison?
    {
        let now = try moment(text)
        let hours = OpeningHours(facility, around: now, clock: CampusClock(zone, around: now))
        return WeekComparison.comparing([client], hours, at: now).first
    }

    /// An answered request, by the server's clock at Mon 2026-09-14 14:02 EDT unless told otherwise.
    static func capture(
        _ target: String,
        method: String = "GET",
        code: Int = 200,
        type: String = "application/json",
        date: String = "Mon, 14 Sep 2026 18:02:00 GMT",
        fields: String = "",
        _ body: String
    ) -> Capture {
        let head = "HTTP/1.1 \(code) X\r\nContent-Type: \(type)\r\nDate: \(date)\r\n\(fields)\r\n"
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: method,
            scheme: .http,
            host: "localhost",
            port: 8081,
            target: target,
            request: Message(head: ByteBuffer(string: "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: .completed
        )
        exchange.code = code
        exchange.mediaType = type
        let bytes = Array(body.utf8)
        exchange.response = Message(
            head: ByteBuffer(string: head),
            body: Body(length: Int64(bytes.count), kept: Int64(bytes.count), sha256: [])
        )
        return Capture(exchange: exchange, response: CapturedBody(bytes: bytes))
    }

    /// An answer to the request for the whole list.
    static func capture(method: String = "GET", code: Int, _ body: String) -> Capture {
        capture("/api/facilities/?format=json", method: method, code: code, body)
    }

    /// The answered request for the whole list.
    static func capture(_ body: String) -> Capture { capture("/api/facilities/?format=json", body) }

    struct NoFacility: Error {}
}
