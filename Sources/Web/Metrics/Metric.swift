import Traffic

/// A family of measurements under one name, as Prometheus reads them.
package struct Metric: Sendable {
    /// The kind of a family's numbers.
    package enum Kind: String, Sendable {
        /// Only grows, from 0 at the start.
        case counter
        case gauge
        /// Counts by upper bounds: samples named `_bucket`, `_sum` and `_count`.
        case histogram
    }

    /// One number.
    package struct Sample: Sendable {
        /// The suffix of the family's name; empty but in a histogram.
        package var suffix: String
        package var labels: [(name: String, value: String)]
        package var value: Double

        package init(_ value: Double, suffix: String = "", labels: [(name: String, value: String)] = []) {
            (self.suffix, self.labels, self.value) = (suffix, labels, value)
        }
    }

    package var name: String
    package var kind: Kind
    package var help: String
    package var samples: [Sample]

    package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        (self.name, self.kind, self.help, self.samples) = (name, kind, help, samples)
    }

    /// A family of one number.
    package init(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        self.init(name, kind, help, [Sample(value)])
    }

    /// The families in Prometheus' text format, version 0.0.4.
    package static func text(_ metrics: [Metric]) -> String {
        var text = ""
        for metric in metrics {
            text += "# HELP \(metric.name) \(escaped(metric.help, quotes: false))\n"
            text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
            for sample in metric.samples {
                let labels = sample.labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }
                let set = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
                text += "\(metric.name)\(sample.suffix)\(set) \(number(sample.value))\n"
            }
        }
        return text
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        text.replacing(scalars: ["\\": "\\\\", "\n": "\\n", "\"": quotes ? "\\\"" : "\""])
    }

    /// A number as text; whole numbers have no point, so that counters read as such.
    private static func number(_ value: Double) -> String {
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? "\(value)"
    }
}
