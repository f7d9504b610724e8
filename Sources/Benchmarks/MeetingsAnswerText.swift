import Traffic

/// An answer to `?query` as a whole meeting server gives it, made up.
enum MeetingsAnswerText {
    private static let zones = [
        "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Phoenix",
        "America/Sao_Paulo",
        "Europe/London", "Europe/Berlin", "Europe/Lisbon", "Asia/Kolkata", "Asia/Tehran", "Australia/Sydney",
        "Pacific/Auckland", "",
    ]

    /// The answer's bytes, about 860 a meeting.
    static func bytes(count: Int) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.object("meta") { json in
                for name in ["total", "page_size", "actual_size"] { json.integer(name, count) }
                json.integer("total_pages", 1)
                for name in ["page", "starting_index"] { json.integer(name, 0) }
                json.number("search_time", 3.1629)
            }
            json.array("meetings") { json in for number in 0..<count { meeting(number, &json) } }
        }
        return json.take()
    }

    private static func meeting(_ number: Int, _ json: inout JSONWriter) {
        json.object { json in
            json.integer("server_id", 100 + number % 50)
            json.integer("meeting_id", number)
            json.string("organization_key", number % 7 == 0 ? "virtual-na" : "na")
            json.string("name", "The \(number % 400 + 1). Group of the Evening, Ünïted")
            let minutes = (number * 7) % 96 * 15
            json.string("start_time", "\(two(minutes / 60)):\(two(minutes % 60)):00")
            json.string("time_zone", zones[number % zones.count])
            json.integer("weekday", number % 7 + 1)
            json.integer("duration", 3600 + number % 3 * 1800)
            json.number("longitude", -83.4139 + Double(number % 1000) / 700)
            json.number("latitude", 36.0168 + Double(number % 900) / 700)
            json.string(
                "comments",
                "Enter by the \"side door\", ring twice,\nthen go up to the second floor and turn left."
            )
            json.array("formats") { json in
                for (id, key, name) in [(17, "O", "Open"), (54, "HY", "Hybrid"), (60, "WC", "Wheelchair")] {
                    json.object { json in
                        json.integer("id", id)
                        json.string("key", key)
                        json.string("name", name)
                        json.string("description", "This meeting is \(name.lowercased()), as its members decided.")
                        json.string("language", "en")
                    }
                }
            }
            json.object("physical_address") { json in
                json.string("street", "\(number % 300) E. Meeting Street")
                json.string("name", "First Church of the Crossing")
                for name in ["neighborhood", "city_subsection"] { json.string(name, "") }
                json.string("city", "Dandridge")
                json.string("county", "Jefferson")
                json.string("province", "TN")
                json.string("postal_code", "37725")
                json.string("nation", "US")
                json.string("info", "Park across the street, not in front of the house.")
            }
            json.object("virtual_information") { json in
                json.string("url", "https://us02web.zoom.example/j/33969\(100_000 + number)?pwd=abc\(number)")
                json.string("info", "Meeting ID: 33969\(100_000 + number)")
                json.string("phone_number", "+1 301 715 8592")
                json.string("time_zone", zones[number % zones.count])
            }
        }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
