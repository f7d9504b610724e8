import Foundation
import Support
import Testing

/// The picture that README shows, taken of the demonstration's page.
@Suite("The picture of the page", .timeLimit(.minutes(3)))
struct ScreenshotTests {
    @Test("The demonstration's page shows what it recorded; its picture is left in .build/screenshots")
    func picture() async throws {
        let home = try TemporaryDirectory()
        let demo = try RunningProcess(
            try Executable.inspect(),
            ["demo", "--store", home.file("captures.db"), "--ca-directory", home.file("ca")]
        )
        let line = try await demo.line(containing: "See it in the browser:", within: .seconds(60))
        let address = try #require(line.split(separator: " ").last.map(String.init))
        let picture = try await Browser.with { browser in
            try await browser.open(address)
            try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length >= 20")
            _ = try await browser.run(
                "[...document.querySelectorAll('tr[data-id]')].find((row) => row.innerText.includes('open_now')).click()"
            )
            try await browser.wait(until: "location.pathname.startsWith('/exchanges/')")
            _ = try await browser.run("location.hash = 'response'")
            try await browser.wait(until: "document.querySelector('.tree')")
            #expect(try await browser.console() == [])
            return try await browser.screenshot()
        }
        _ = try await demo.stop()
        #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 20_000)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/screenshots")
            .standardized
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try picture.write(to: folder.appending(path: "page.png"))
    }
}
