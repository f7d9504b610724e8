import Traffic

/// An exchange's phases by HAR's rules: TLS counted inside `connect`, -1 for what did not happen, `time` the sum without `ssl`.
struct HARTimings {
    private let timeline: Timeline

    init(_ timeline: Timeline) { self.timeline = timeline }

    /// Opening the connection with its TLS; `nil` where one was reused or none was opened.
    private var connect: Int64? {
        guard timeline.connect != nil || timeline.tls != nil else { return nil }
        return (timeline.connect ?? 0) + (timeline.tls ?? 0)
    }

    /// `blocked + dns + connect + send + wait + receive`, in microseconds.
    var total: Int64 {
        (timeline.blocked ?? 0) + (timeline.dns ?? 0) + (connect ?? 0)
            + (timeline.send ?? 0) + (timeline.wait ?? 0) + (timeline.receive ?? 0)
    }

    /// Writes the `timings` object.
    func write(to json: inout JSONWriter) {
        let absent: Int64 = -1000
        json.object("timings") { json in
            json.milliseconds("blocked", microseconds: timeline.blocked ?? absent)
            json.milliseconds("dns", microseconds: timeline.dns ?? absent)
            json.milliseconds("connect", microseconds: connect ?? absent)
            json.milliseconds("ssl", microseconds: timeline.tls ?? absent)
            json.milliseconds("send", microseconds: timeline.send ?? 0)
            json.milliseconds("wait", microseconds: timeline.wait ?? 0)
            json.milliseconds("receive", microseconds: timeline.receive ?? 0)
        }
    }
}
