import Foundation
import Proxy
import Store
import Traffic
import Web

/// What a running instance measures of itself, for `/metrics`.
struct InstanceMetrics: Sendable {
    let meter: CaptureMeter
    let proxy: ProxyServer
    let store: TrafficStore
    let rules: RunningRules
    /// Seconds since 1970.
    let started: Double

    /// All families, as they are now.
    var all: [Metric] { [build, startTime] + traffic + ruling + record + process }

    private var build: Metric {
        Metric(
            "inspect_build_info",
            .gauge,
            "The release that runs.",
            [.init(1, labels: [("version", BuildVersion.text)])]
        )
    }

    private var startTime: Metric {
        Metric("inspect_start_time_seconds", .gauge, "When it was started, in seconds since 1970.", started)
    }

    private var traffic: [Metric] {
        let counts = meter.counts
        let figures = proxy.figures
        let outcomes: [Outcome] = [.completed, .failed, .cancelled, .tunnelled]
        let failures = counts.failures.map { failure, count in
            Metric.Sample(
                Double(count),
                labels: [
                    ("side", failure.side.rawValue), ("phase", failure.phase.rawValue),
                    ("cause", failure.cause.rawValue),
                ]
            )
        }
        return [
            Metric(
                "inspect_requests_total",
                .counter,
                "Exchanges that ended, by how.",
                outcomes.map { .init(Double(counts.outcomes[$0] ?? 0), labels: [("outcome", $0.rawValue)]) }
            ),
            Metric(
                "inspect_responses_total",
                .counter,
                "Responses by the class of their status code.",
                (1...5).map { .init(Double(counts.classes[$0] ?? 0), labels: [("class", "\($0)xx")]) }
            ),
            Metric(
                "inspect_failures_total",
                .counter,
                "Exchanges that failed, by whose side it was, in which phase, and why.",
                failures.sorted { "\($0.labels)" < "\($1.labels)" }
            ),
            Metric(
                "inspect_body_bytes_total",
                .counter,
                "Bytes of bodies as they passed.",
                [
                    .init(Double(counts.requestBytes), labels: [("direction", "request")]),
                    .init(Double(counts.responseBytes), labels: [("direction", "response")]),
                ]
            ),
            Metric(
                "inspect_messages_total",
                .counter,
                "Messages of WebSockets, event streams and gRPC calls.",
                Double(counts.messages)
            ),
            Metric(
                "inspect_connections",
                .gauge,
                "Client connections that are open.",
                Double(figures.connections)
            ),
            Metric(
                "inspect_upstream_connections",
                .gauge,
                "Upstream connections that are open, idle ones too, or being opened.",
                Double(figures.upstreams)
            ),
        ]
    }

    private var ruling: [Metric] {
        let counts = rules.counts
        return [
            Metric("inspect_rules", .gauge, "Rules that there are, on or off.", Double(counts.all)),
            Metric("inspect_rules_on", .gauge, "Rules that are on.", Double(counts.on)),
            Metric(
                "inspect_rule_mistakes",
                .gauge,
                "Mistakes in the rules files as they are now; while there are any, the rules of before hold.",
                Double(rules.problems.count)
            ),
        ]
    }

    private var record: [Metric] {
        let counts = meter.counts
        let figures = proxy.figures
        var total = 0
        var commits = zip(CaptureMeter.commitBounds, counts.commits).map { bound, count in
            total += count
            return Metric.Sample(
                Double(total),
                suffix: "_bucket",
                labels: [("le", "\(bound / .seconds(1))")]
            )
        }
        commits += [
            .init(Double(counts.commitCount), suffix: "_bucket", labels: [("le", "+Inf")]),
            .init(counts.commitTime / .seconds(1), suffix: "_sum"), .init(Double(counts.commitCount), suffix: "_count"),
        ]
        return [
            Metric(
                "inspect_queue_bytes",
                .gauge,
                "Bytes handed to the record and not yet committed.",
                Double(figures.queueBytes)
            ),
            Metric(
                "inspect_queue_limit_bytes",
                .gauge,
                "The bytes at which reading pauses.",
                Double(figures.queueLimitBytes)
            ),
            Metric(
                "inspect_write_lag_seconds",
                .gauge,
                "How long the oldest batch has waited that is not committed yet.",
                meter.lag / .seconds(1)
            ),
            Metric("inspect_commit_seconds", .histogram, "How long batches took to be committed.", commits),
            Metric(
                "inspect_unrecorded_total",
                .counter,
                "Exchanges that passed and could not be recorded.",
                Double(counts.unrecorded)
            ),
            Metric(
                "inspect_late_total",
                .counter,
                "Exchanges that reached their clients before the record, which took longer than is waited for.",
                Double(figures.lateCount)
            ),
            Metric(
                "inspect_index_lag",
                .gauge,
                "Exchanges that are in no block yet.",
                Double(store.indexLag)
            ),
            Metric("inspect_store_bytes", .gauge, "Bytes of the store's file and its log.", Double(storeBytes)),
        ]
    }

    private var process: [Metric] {
        var families: [Metric] = []
        var time = timespec()
        if clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            families.append(
                Metric(
                    "process_cpu_seconds_total",
                    .counter,
                    "CPU time of the process.",
                    Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
                )
            )
        }
        #if os(Linux)
        if let bytes = FreedMemory.residentBytes() {
            families.append(
                Metric(
                    "process_resident_memory_bytes",
                    .gauge,
                    "Memory of the process that is in RAM.",
                    Double(bytes)
                )
            )
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            families.append(Metric("process_open_fds", .gauge, "Files that are open.", Double(files.count)))
        }
        #endif
        return families
    }

    private var storeBytes: Int64 {
        [store.path, store.path + "-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }
}
