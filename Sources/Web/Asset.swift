import Hummingbird

/// One file of the page, carried inside the executable.
struct Asset: Sendable {
    let bytes: [UInt8]
    let contentType: String

    /// The document that every address of the page answers with.
    static var page: Asset { Asset(bytes: PackageResources.index_html, contentType: "text/html; charset=utf-8") }

    /// The document for a browser that showed the token, with the key to everything else in it.
    ///
    /// - Parameter key: letters and digits.
    /// - Returns: the document.
    static func page(key: String) -> Asset {
        let page = page
        let start = Array("<head>\n".utf8)
        guard let head = page.bytes.firstRange(of: start) else { return page }
        let meta = Array("<meta name=\"inspect-key\" content=\"\(key)\">\n".utf8)
        return Asset(
            bytes: page.bytes[..<head.upperBound] + meta + page.bytes[head.upperBound...],
            contentType: page.contentType
        )
    }

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
        case "body-content.js": PackageResources.body_content_js
        case "body-markup.js": PackageResources.body_markup_js
        case "body-media.js": PackageResources.body_media_js
        case "body-multipart.js": PackageResources.body_multipart_js
        case "body-outline.js": PackageResources.body_outline_js
        case "body-preview.js": PackageResources.body_preview_js
        case "body-table.js": PackageResources.body_table_js
        case "body-text.js": PackageResources.body_text_js
        case "body-token.js": PackageResources.body_token_js
        case "body-views.js": PackageResources.body_views_js
        case "body.js": PackageResources.body_js
        case "buckets.js": PackageResources.buckets_js
        case "campus-time.js": PackageResources.campus_time_js
        case "chips.js": PackageResources.chips_js
        case "choices.js": PackageResources.choices_js
        case "chosen.js": PackageResources.chosen_js
        case "clearing.js": PackageResources.clearing_js
        case "columns.js": PackageResources.columns_js
        case "combobox.js": PackageResources.combobox_js
        case "compare.js": PackageResources.compare_js
        case "connection.js": PackageResources.connection_js
        case "copy.js": PackageResources.copy_js
        case "counts.js": PackageResources.counts_js
        case "datasets.js": PackageResources.datasets_js
        case "decoded.js": PackageResources.decoded_js
        case "detail.js": PackageResources.detail_js
        case "dialog.js": PackageResources.dialog_js
        case "difference.js": PackageResources.difference_js
        case "dom.js": PackageResources.dom_js
        case "enter.js": PackageResources.enter_js
        case "exporting.js": PackageResources.exporting_js
        case "facet-value.js": PackageResources.facet_value_js
        case "facet.js": PackageResources.facet_js
        case "facilities.js": PackageResources.facilities_js
        case "facility-row.js": PackageResources.facility_row_js
        case "find.js": PackageResources.find_js
        case "finding.js": PackageResources.finding_js
        case "findings.js": PackageResources.findings_js
        case "food.js": PackageResources.food_js
        case "format.js": PackageResources.format_js
        case "head.js": PackageResources.head_js
        case "heads.js": PackageResources.heads_js
        case "held.js": PackageResources.held_js
        case "help.js": PackageResources.help_js
        case "hex.js": PackageResources.hex_js
        case "highlight.js": PackageResources.highlight_js
        case "json-index.js": PackageResources.json_index_js
        case "json-tree.js": PackageResources.json_tree_js
        case "keys.js": PackageResources.keys_js
        case "layout.js": PackageResources.layout_js
        case "lens-place.js": PackageResources.lens_place_js
        case "line-diff.js": PackageResources.line_diff_js
        case "links.js": PackageResources.links_js
        case "list-tools.js": PackageResources.list_tools_js
        case "list.js": PackageResources.list_js
        case "listing.js": PackageResources.listing_js
        case "live.js": PackageResources.live_js
        case "manual.js": PackageResources.manual_js
        case "marked.js": PackageResources.marked_js
        case "masked.js": PackageResources.masked_js
        case "marks.js": PackageResources.marks_js
        case "meetings.js": PackageResources.meetings_js
        case "menu.js": PackageResources.menu_js
        case "menus.js": PackageResources.menus_js
        case "message-pages.js": PackageResources.message_pages_js
        case "message-payload.js": PackageResources.message_payload_js
        case "message.js": PackageResources.message_js
        case "messages.js": PackageResources.messages_js
        case "notice.js": PackageResources.notice_js
        case "overview.js": PackageResources.overview_js
        case "paged.js": PackageResources.paged_js
        case "pages.js": PackageResources.pages_js
        case "pieces.js": PackageResources.pieces_js
        case "places.js": PackageResources.places_js
        case "pointer.js": PackageResources.pointer_js
        case "preferences.js": PackageResources.preferences_js
        case "pretty.js": PackageResources.pretty_js
        case "problems.js": PackageResources.problems_js
        case "rail-toggle.js": PackageResources.rail_toggle_js
        case "rail.js": PackageResources.rail_js
        case "reading.js": PackageResources.reading_js
        case "recording.js": PackageResources.recording_js
        case "remedy.js": PackageResources.remedy_js
        case "replay-set.js": PackageResources.replay_set_js
        case "replay.js": PackageResources.replay_js
        case "replays.js": PackageResources.replays_js
        case "request-body.js": PackageResources.request_body_js
        case "request-draft.js": PackageResources.request_draft_js
        case "row.js": PackageResources.row_js
        case "search.js": PackageResources.search_js
        case "searches.js": PackageResources.searches_js
        case "setup-check.js": PackageResources.setup_check_js
        case "setup-ways.js": PackageResources.setup_ways_js
        case "setup.js": PackageResources.setup_js
        case "slots.js": PackageResources.slots_js
        case "split.js": PackageResources.split_js
        case "state.js": PackageResources.state_js
        case "stream.js": PackageResources.stream_js
        case "strip.js": PackageResources.strip_js
        case "summary.js": PackageResources.summary_js
        case "supply.js": PackageResources.supply_js
        case "tables.js": PackageResources.tables_js
        case "text-rows.js": PackageResources.text_rows_js
        case "theme.js": PackageResources.theme_js
        case "time-window.js": PackageResources.time_window_js
        case "timing.js": PackageResources.timing_js
        case "tools.js": PackageResources.tools_js
        case "track.js": PackageResources.track_js
        case "view.js": PackageResources.view_js
        case "welcome.js": PackageResources.welcome_js
        case "windowed.js": PackageResources.windowed_js
        default: nil
        }
    }

    private static func sheet(_ name: String) -> [UInt8]? {
        switch name {
        case "compare.css": PackageResources.compare_css
        case "detail.css": PackageResources.detail_css
        case "dialog.css": PackageResources.dialog_css
        case "facilities.css": PackageResources.facilities_css
        case "findings.css": PackageResources.findings_css
        case "lens.css": PackageResources.lens_css
        case "list.css": PackageResources.list_css
        case "places.css": PackageResources.places_css
        case "rail.css": PackageResources.rail_css
        case "replay.css": PackageResources.replay_css
        case "search.css": PackageResources.search_css
        case "setup.css": PackageResources.setup_css
        case "strip.css": PackageResources.strip_css
        case "style.css": PackageResources.style_css
        case "tools.css": PackageResources.tools_css
        case "tree.css": PackageResources.tree_css
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
