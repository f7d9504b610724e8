package import Traffic

extension TrafficStatistics {
    /// One object and a line feed; see `write`.
    package var json: [UInt8] {
        var json = JSONWriter()
        write(to: &json)
        json.newline()
        return json.take()
    }

    /// Writes one object; times in milliseconds, sizes in bytes.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            Self.members(all, &json)
            json.integer("searchedInPart", searchedInPart)
            json.array("endpoints") { json in
                for endpoint in endpoints {
                    json.object { json in
                        json.string("endpoint", endpoint.name)
                        Self.members(endpoint.figures, &json)
                    }
                }
            }
            for (name, rows) in [("slowest", slowest), ("largest", largest)] {
                json.array(name) { json in for row in rows { ExchangeRow.write(row, to: &json) } }
            }
            json.array("timeline") { json in
                for moment in timeline {
                    json.object { json in
                        json.string("start", Timestamp.text(microseconds: moment.start))
                        json.milliseconds("widthMs", microseconds: momentMicroseconds)
                        json.integer("count", moment.count)
                        json.integer("failed", moment.failed)
                        json.integer("errorStatus", moment.errorStatus)
                    }
                }
            }
        }
    }

    private static func members(_ figures: TrafficFigures, _ json: inout JSONWriter) {
        json.integer("count", figures.count)
        json.integer("succeeded", figures.succeeded)
        json.integer("failed", figures.failed)
        json.integer("noAnswer", figures.count(.noAnswer))
        json.integer("cutOff", figures.count(.cutOff))
        json.integer("errorStatus", figures.count(.errorStatus))
        json.integer("cancelled", figures.cancelled)
        json.integer("requestBytes", figures.requestBytes)
        json.integer("responseBytes", figures.responseBytes)
        let times = figures.percentiles([50, 90, 99, 100])
        for (index, name) in ["p50Ms", "p90Ms", "p99Ms", "maxMs"].enumerated() {
            json.milliseconds(name, microseconds: times?.dropFirst(index).first)
        }
    }
}
