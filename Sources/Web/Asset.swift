import Hummingbird

/// One file of the page, carried inside the executable.
struct Asset: Sendable {
    let bytes: [UInt8]
    let contentType: String

    /// The document that every address of the page answers with.
    static var page: Asset { Asset(bytes: PackageResources.index_html, contentType: "text/html; charset=utf-8") }

    /// The description of the API (OpenAPI 3.1).
    static var openAPI: Asset { Asset(bytes: PackageResources.openapi_json, contentType: "application/json") }
    /// The same as it is written.
    static var openAPIYAML: Asset { Asset(bytes: PackageResources.openapi_yaml, contentType: "application/yaml") }

    /// The file of this name under `/assets/`; `nil` when there is none.
    static func named(_ name: String) -> Asset? {
        if name == "icon.svg" { return Asset(bytes: PackageResources.icon_svg, contentType: "image/svg+xml") }
        if let bytes = script(name) { return Asset(bytes: bytes, contentType: "text/javascript; charset=utf-8") }
        return sheet(name).map { Asset(bytes: $0, contentType: "text/css; charset=utf-8") }
    }

    private static func script(_ name: String) -> [UInt8]? {
        switch name {
        case "address.js": PackageResources.address_js
        case "api.js": PackageResources.api_js
        case "app.js": PackageResources.app_js
        case "body.js": PackageResources.body_js
        case "chosen.js": PackageResources.chosen_js
        case "counts.js": PackageResources.counts_js
        case "decoded.js": PackageResources.decoded_js
        case "detail.js": PackageResources.detail_js
        case "dom.js": PackageResources.dom_js
        case "format.js": PackageResources.format_js
        case "hex.js": PackageResources.hex_js
        case "json-tree.js": PackageResources.json_tree_js
        case "keys.js": PackageResources.keys_js
        case "list.js": PackageResources.list_js
        case "listing.js": PackageResources.listing_js
        case "marks.js": PackageResources.marks_js
        case "messages.js": PackageResources.messages_js
        case "notice.js": PackageResources.notice_js
        case "places.js": PackageResources.places_js
        case "rail.js": PackageResources.rail_js
        case "search.js": PackageResources.search_js
        case "split.js": PackageResources.split_js
        case "state.js": PackageResources.state_js
        case "timing.js": PackageResources.timing_js
        case "view.js": PackageResources.view_js
        case "welcome.js": PackageResources.welcome_js
        default: nil
        }
    }

    private static func sheet(_ name: String) -> [UInt8]? {
        switch name {
        case "detail.css": PackageResources.detail_css
        case "lens.css": PackageResources.lens_css
        case "list.css": PackageResources.list_css
        case "rail.css": PackageResources.rail_css
        case "search.css": PackageResources.search_css
        case "style.css": PackageResources.style_css
        case "tree.css": PackageResources.tree_css
        case "welcome.css": PackageResources.welcome_css
        default: nil
        }
    }

    /// The file as an answer: a browser keeps it, and asks each time whether it is another now.
    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: contentType, .cacheControl: "no-cache"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        ).tagged(EntityTag(of: bytes))
    }
}
