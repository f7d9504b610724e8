import Foundation

/// An article of the manual: one subject, written in Markdown and carried inside the executable.
struct Article {
    /// The word that asks for it, as in `inspect man queries`; no command has it.
    let name: String
    /// Markdown of the few kinds that `ArticleBlock` reads.
    let text: String

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Every article, in the order in which a newcomer reads them.
    static let all = [
        Article("clients", PackageResources.clients_md),
        Article("devices", PackageResources.devices_md),
        Article("trust", PackageResources.trust_md),
        Article("ways-in", PackageResources.ways_in_md),
        Article("ways-out", PackageResources.ways_out_md),
        Article("limits", PackageResources.limits_md),
        Article("captures", PackageResources.captures_md),
        Article("configuration", PackageResources.configuration_md),
        Article("service", PackageResources.service_md),
        Article("commands", PackageResources.commands_md),
        Article("queries", PackageResources.queries_md),
        Article("page", PackageResources.page_md),
        Article("api", PackageResources.api_md),
        Article("compare", PackageResources.compare_md),
        Article("checks", PackageResources.checks_md),
        Article("archives", PackageResources.archives_md),
        Article("mocking", PackageResources.mocking_md),
        Article("agents", PackageResources.agents_md),
        Article("lenses", PackageResources.lenses_md),
        Article("opening-hours", PackageResources.opening_hours_md),
        Article("virtual-meetings", PackageResources.virtual_meetings_md),
        Article("open-data", PackageResources.open_data_md),
        Article("dining", PackageResources.dining_md),
        Article("demo-servers", PackageResources.demo_servers_md),
        Article("code", PackageResources.code_md),
    ]

    /// The article of a name; `nil` where there is none.
    static func named(_ name: String) -> Article? { all.first { $0.name == name } }

    /// What it is made of.
    var blocks: [ArticleBlock] { ArticleBlock.read(text) }

    /// Its heading.
    var title: String {
        for case .heading(level: 1, let spans) in blocks { return ArticleSpan.plain(spans) }
        return name
    }

    /// Its first paragraph, which says what it is about.
    var about: String {
        for case .paragraph(let spans) in blocks { return ArticleSpan.plain(spans) }
        return ""
    }
}
