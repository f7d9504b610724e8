import Hummingbird
import Traffic

/// The measurements for a monitoring system, in Prometheus' text format.
struct MetricRoutes {
    let measure: @Sendable () async -> [Metric]

    /// Adds the address.
    func add(to router: Router<WebContext>) {
        router.get("/metrics") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: Metric.text(await measure())))
            )
        }
    }
}
