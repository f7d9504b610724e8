import Foundation

/// An article of the manual: one subject, written in Markdown and carried inside the executable.
struct Article {
    /// The article's name, as in `inspect man queries`; no command has the same.
    let name: String
    /// Markdown of the few kinds that `ArticleBlock` reads.
    let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    /// Every article, in the order in which a newcomer reads them.
    static let all = [
        Article("clients", EmbeddedText.clients_md),
        Article("devices", EmbeddedText.devices_md),
        Article("trust", EmbeddedText.trust_md),
        Article("ways-in", EmbeddedText.ways_in_md),
        Article("ways-out", EmbeddedText.ways_out_md),
        Article("changing-traffic", EmbeddedText.changing_traffic_md),
        Article("limits", EmbeddedText.limits_md),
        Article("captures", EmbeddedText.captures_md),
        Article("configuration", EmbeddedText.configuration_md),
        Article("service", EmbeddedText.service_md),
        Article("commands", EmbeddedText.commands_md),
        Article("queries", EmbeddedText.queries_md),
        Article("page", EmbeddedText.page_md),
        Article("api", EmbeddedText.api_md),
        Article("compare", EmbeddedText.compare_md),
        Article("checks", EmbeddedText.checks_md),
        Article("archives", EmbeddedText.archives_md),
        Article("mocking", EmbeddedText.mocking_md),
        Article("agents", EmbeddedText.agents_md),
        Article("lenses", EmbeddedText.lenses_md),
        Article("opening-hours", EmbeddedText.opening_hours_md),
        Article("virtual-meetings", EmbeddedText.virtual_meetings_md),
        Article("open-data", EmbeddedText.open_data_md),
        Article("dining", EmbeddedText.dining_md),
        Article("demo-servers", EmbeddedText.demo_servers_md),
        Article("code", EmbeddedText.code_md),
    ]

    /// The article of a name; `nil` where there is none.
    static func named(_ name: String) -> Article? { all.first { $0.name == name } }

    /// The parts of the article.
    var blocks: [ArticleBlock] { ArticleBlock.read(text) }

    /// The article's heading.
    var title: String {
        for case .heading(level: 1, let spans) in blocks { return ArticleSpan.plain(spans) }
        return name
    }

    /// The first paragraph, which says what the article is about.
    var about: String {
        for case .paragraph(let spans) in blocks { return ArticleSpan.plain(spans) }
        return ""
    }
}
