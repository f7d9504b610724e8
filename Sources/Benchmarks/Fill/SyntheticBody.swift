/// Bodies of 0.3 to 4 KB as the four apps' servers send them.
enum SyntheticBody {
    static let words = [
        "library", "dining", "pool", "hall", "north", "garden", "student", "union", "coffee", "science", "theatre",
        "clinic",
        "harbour", "bicycle", "permit", "budget", "transit", "park", "museum", "archive", "shelter", "festival",
        "playground", "ferry",
    ]

    /// What's Open: a page of facilities; one of `shared` many answers where one is named.
    static func facilities(_ shared: Int?, _ word: String?, _ random: inout BenchmarkGenerator) -> [UInt8] {
        var source = shared.map { BenchmarkGenerator(seed: UInt64($0)) } ?? random
        defer { if shared == nil { random = source } }
        var rows: [String] = []
        for _ in 0..<(2 + source.below(8)) {
            let name = "\(source.pick(words)) \(source.pick(words))"
            rows.append(
                #"{"id":\#(source.below(500)),"slug":"\#(name.replacing(" ", with: "-"))","facility_name":"\#(name) Café","logo":null,"is_open":\#(source.below(2) == 0),"facility_location":{"building":"\#(source.pick(words))","campus_region":"Fairfax","address":"44\#(source.below(99)) Patriot Cir"},"main_schedule":{"open_times":[{"start_day":\#(source.below(7)),"start_time":"0\#(source.below(9)):30:00","end_time":"21:00:00"}],"modified":"2026-10-\#(10 + source.below(20))"}}"#
            )
        }
        if let word { rows.append(#"{"id":1,"slug":"\#(word)"}"#) }
        return Array(#"{"count":\#(rows.count),"next":null,"results":[\#(rows.joined(separator: ","))]}"#.utf8)
    }

    /// Virtual Meeting Finder: meetings as the entry point gives them.
    static func meetings(_ random: inout BenchmarkGenerator) -> [UInt8] {
        var rows: [String] = []
        for _ in 0..<(1 + random.below(6)) {
            rows.append(
                #"{"organization_key":"\#(random.pick(["na", "mads", "smart"]))","server_id":\#(random.below(160)),"meeting_id":\#(random.below(99_000)),"name":"\#(random.pick(words)) \#(random.pick(words)) group","weekday":\#(random.below(7)),"start_time":"\#(10 + random.below(13)):00:00","duration":3600,"time_zone":"America/New_York","virtual_information":{"url":"https://zoom.example/j/\#(random.below(900_000_000))","phone_number":"+1555\#(random.below(9_999_999))"}}"#
            )
        }
        return Array(
            #"{"meta":{"actual_size":\#(rows.count),"page":0},"meetings":[\#(rows.joined(separator: ","))]}"#.utf8
        )
    }

    /// Toronto Open Data: a CKAN search.
    static func datasets(_ random: inout BenchmarkGenerator) -> [UInt8] {
        var rows: [String] = []
        for _ in 0..<(1 + random.below(4)) {
            let sentence = (0..<(8 + random.below(30))).map { _ in random.pick(words) }.joined(separator: " ")
            rows.append(
                #"{"id":"\#(random.hex(32))","title":"\#(random.pick(words)) \#(random.pick(words))","notes":"\#(sentence).","license_title":"Open Government Licence – Toronto","num_resources":\#(random.below(12)),"metadata_modified":"2026-09-\#(10 + random.below(20))T04:\#(10 + random.below(50)):00"}"#
            )
        }
        return Array(
            #"{"help":"https://ckan0.cf.opendata.inter.prod-toronto.ca/api/3/action/help_show?name=package_search","success":true,"result":{"count":\#(random.below(500)),"results":[\#(rows.joined(separator: ","))]}}"#
                .utf8
        )
    }

    /// Bruin Life: what CloudKit is asked.
    static func question(_ word: String?, _ random: inout BenchmarkGenerator) -> [UInt8] {
        Array(
            #"{"query":{"recordType":"DiningDay","filterBy":[{"fieldName":"Day","comparator":"EQUALS","fieldValue":{"value":\#(random.below(90_000)),"type":"TIMESTAMP"}}]},"zoneID":{"zoneName":"_defaultZone"},"resultsLimit":\#(1 + random.below(90)),"mark":"\#(word ?? "none")"}"#
                .utf8
        )
    }

    /// Bruin Life: a record of CloudKit.
    static func menus(_ random: inout BenchmarkGenerator) -> [UInt8] {
        let dishes = (0..<(6 + random.below(30))).map { _ in "\(random.pick(words)) soup|\(random.below(900)) kcal" }
        return Array(
            #"{"records":[{"recordName":"\#(random.hex(24))","recordType":"DiningDay","fields":{"Menu":{"value":"\#(dishes.joined(separator: ";"))","type":"STRING"},"Day":{"value":\#(random.below(90_000)),"type":"TIMESTAMP"}},"recordChangeTag":"\#(random.hex(6))","deleted":false}]}"#
                .utf8
        )
    }

    /// Telemetry.
    static func event(_ random: inout BenchmarkGenerator) -> [UInt8] {
        let rows = (0..<(2 + random.below(6))).map { _ in
            #"{"event":"\#(random.pick(words))_tapped","at":\#(random.below(900_000)),"device":"\#(random.hex(16))"}"#
        }
        return Array("[\(rows.joined(separator: ","))]".utf8)
    }

    /// A problem as JSON.
    static func problem(_ code: Int, _ random: inout BenchmarkGenerator) -> [UInt8] {
        Array(
            #"{"type":"about:blank","status":\#(code),"detail":"Not today, \#(random.pick(words)).","trace":"\#(random.hex(16))"}"#
                .utf8
        )
    }

    /// Bytes that are no text: one of a few hundred pictures.
    static func image(_ number: Int, _ random: inout BenchmarkGenerator) -> [UInt8] {
        var source = BenchmarkGenerator(seed: UInt64(7_000 + number))
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for _ in 0..<(40 + source.below(460)) { withUnsafeBytes(of: source.next()) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// A script or a style sheet: one of forty, up to 4 KB.
    static func script(_ number: Int) -> [UInt8] {
        var source = BenchmarkGenerator(seed: UInt64(9_000 + number))
        let lines = (0..<(10 + source.below(60))).map { _ in
            "export function \(source.pick(words))_\(source.below(99))(a, b) { return a.\(source.pick(words)) ?? b; }"
        }
        return Array(lines.joined(separator: "\n").utf8)
    }
}
