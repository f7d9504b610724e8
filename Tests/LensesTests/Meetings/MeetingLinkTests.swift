import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MeetingLinkTests {
    @Test(
        "A link of a service with an app gives the address that opens the app",
        arguments: [
            (
                "https://us02web.zoom.us/j/3396967992?pwd=abc", .zoom,
                "zoomus://us02web.zoom.us/join?confno=3396967992&pwd=abc"
            ),
            ("https://zoom.us/j/3396967992", .zoom, "zoomus://zoom.us/join?confno=3396967992"),
            ("https://zoom.us/my/owls", .zoom, nil), ("https://zoom.us/", .zoom, nil),
            ("https://zoom.us/j/123", .zoom, nil),
            (
                "https://global.gotomeeting.com/join/123-456-789", .goToMeeting,
                "gotomeeting://global.gotomeeting.com/join/123456789"
            ),
            ("https://join.skype.com/AbC", .skype, "skype://join?url=https://join.skype.com/AbC"),
            ("https://meet.google.com/abc-defg-hij", .meet, "gmeet://meet.google.com/abc-defg-hij"),
            ("https://discord.gg/xyz", .discord, "discord://discord.gg/xyz"),
            ("https://discord.com/about", .discord, nil),
            ("https://meet.jit.si/OwlsAtNight", .jitsi, "org.jitsi.meet://meet.jit.si/OwlsAtNight"),
            ("https://notzoom.us.example/j/3396967992", nil, nil), ("http://example.org", nil, nil),
        ] as [(String, MeetingLink.Service?, String?)]
    )
    func direct(url: String, service: MeetingLink.Service?, direct: String?) throws {
        let link = try #require(MeetingLink(url))
        #expect(link.service == service && link.direct == direct)
    }

    @Test(
        "What is no web address is no link",
        arguments: [
            "", "zoom", "ftp://zoom.us/j/1", "https://", "https://zoom us/j/1", "see the web site", "https://local/x",
        ]
    )
    func none(text: String) { #expect(MeetingLink(text) == nil) }
}
