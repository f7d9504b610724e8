/// A request of a demonstration, and the status that its server answers.
struct DemoRequest: Sendable {
    /// The app that sends it.
    let client: DemoClient
    let method: String
    /// The absolute URL.
    let url: String
    var fields: [(name: String, value: String)] = []
    var body: String?
    /// The status that the server is known to answer.
    let status: Int

    init(
        _ client: DemoClient,
        _ method: String,
        _ url: String,
        fields: [(name: String, value: String)] = [],
        body: String? = nil,
        status: Int = 200
    ) {
        self.client = client
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.status = status
    }
}
