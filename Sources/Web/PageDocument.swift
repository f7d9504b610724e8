/// The document of the page, with addresses of the page's files that are new at each start.
///
/// Whoever listened at the page's port before can have left files in the browser's cache. None of them has such an address. `RequestGuard` has the
/// browser drop the documents among them with the answer that brings the key.
struct PageDocument: Sendable {
    /// The document that every address of the page answers with.
    let asset: Asset

    init() {
        let place = "\"\(PageRoutes.files)\(WebConfiguration.randomToken())/"
        asset = PageDocument.asset(EmbeddedText.index_html.replacing("\"\(PageRoutes.files)", with: place))
    }

    /// The document for a browser that showed the token; it holds the key to everything else.
    ///
    /// - Parameter key: letters and digits.
    /// - Returns: the document.
    func asset(key: String) -> Asset {
        guard let head = asset.text.firstRange(of: "<head>\n") else { return asset }
        let meta = "<meta name=\"inspect-key\" content=\"\(key)\">\n"
        return PageDocument.asset(asset.text[..<head.upperBound] + meta + asset.text[head.upperBound...])
    }

    private static func asset(_ text: String) -> Asset { Asset(text: text, contentType: "text/html; charset=utf-8") }
}
