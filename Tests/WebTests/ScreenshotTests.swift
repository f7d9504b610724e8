import Foundation
import Support
import Testing

/// The pictures that README shows, taken of the demonstration's page.
@Suite("The pictures of the page", .timeLimit(.minutes(3)))
struct ScreenshotTests {
    private static let screen = Browser.Screen(name: "readme", width: 1440, height: 900, isDark: false)

    @Test("The demonstration's page shows what it recorded; its pictures are left in .build/screenshots")
    func pictures() async throws {
        try await DemoPage.with { demo in
            try await Browser.with { browser in
                try await browser.emulate(ScreenshotTests.screen)
                try await browser.open(demo.address("/"))
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length >= 20")
                _ = try await browser.run(
                    "[...document.querySelectorAll('tr[data-id]')].find((row) => row.innerText.includes('open_now')).click()"
                )
                try await browser.wait(until: "location.pathname.startsWith('/exchanges/')")
                _ = try await browser.run("location.hash = 'decoded'")
                try await browser.wait(until: "document.body.innerText.includes('Facilities at')")
                try await ScreenshotTests.keep(browser.screenshot(), "page.png")
                try await browser.open(demo.address("/facilities?client=ios"))
                try await browser.wait(until: "document.querySelectorAll('.bar-open').length > 20")
                try await ScreenshotTests.keep(browser.screenshot(), "facilities.png")
                #expect(try await browser.console() == [])
            }
        }
    }

    private static func keep(_ picture: Data, _ name: String) throws {
        #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 20_000)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/screenshots")
            .standardized
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try picture.write(to: folder.appending(path: name))
    }
}
