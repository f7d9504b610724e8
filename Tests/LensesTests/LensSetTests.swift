import NIOCore
import Testing
import Traffic

@testable import Lenses

struct LensSetTests {
    @Test(
        "A client is known by its own host, or by the path of its API",
        arguments: [
            ("api.srct.gmu.edu", "/whatsopen/v2/facilities/", "What's Open"),
            ("localhost", "/whatsopen/v2/alerts/?format=json", "What's Open"),
            ("127.0.0.1", "/api/schedules/4/", "What's Open"),
            ("localhost", "/api/3/action/package_search?q=x", "Toronto Open Data"),
            ("app.toronto.ca", "/nm/notices.json", "Toronto Open Data"),
            ("localhost", "/entrypoint.php?query&type=-1", "Virtual Meeting Finder"),
            ("localhost", "/index.php?page=1", nil), ("localhost", "/entrypoint.php", nil),
            ("localhost", "/api/users", nil), ("localhost", "", nil),
            (
                "api.apple-cloudkit.com", "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query",
                "Bruin Life"
            ),
            ("api.apple-cloudkit.com", "/database/1/iCloud.other/production/public/records/query", nil),
        ] as [(String, String, String?)]
    )
    func known(host: String, target: String, client: String?) {
        let exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "GET",
            scheme: .https,
            host: host,
            port: 443,
            target: target,
            request: Message(head: ByteBuffer()),
            client: Peer(token: 1, address: "", tls: nil)
        )
        #expect(LensSet.standard.classify(exchange) { _ in [] }.client == client)
    }
}
