import Foundation
import Testing

@Suite("Requests edited and sent again, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct ReplayPageTests {
    /// Opens the form of an exchange that a query selects, and gives the exchange's number.
    private static func edit(_ page: PlacesPage, _ query: String) async throws -> String {
        let id = try await page.value(
            "(await ask('exchanges?q=' + encodeURIComponent('\(query)'))).exchanges.at(-1).id"
        )
        try await page.open(
            "/exchanges/\(id)",
            until:
                "[...document.querySelectorAll('#detail button')].some((one) => one.textContent === 'Edit and replay')"
        )
        _ = try await page.browser.run(
            "[...document.querySelectorAll('#detail button')].find((one) => one.textContent === 'Edit and replay').click()"
        )
        try await page.browser.wait(until: "document.querySelector('dialog .start-line')")
        #expect(try await page.nameless(in: "dialog") == "")
        return id
    }

    private static func press(_ page: PlacesPage, _ name: String) async throws {
        _ = try await page.browser.run(
            "[...document.querySelectorAll('dialog button')].find((one) => (one.getAttribute('aria-label') ?? one.textContent) === '\(name)').click()"
        )
    }

    /// Sends the form, and gives what was recorded of it.
    private static func sent(_ page: PlacesPage, _ member: String) async throws -> String {
        _ = try await page.browser.run("document.querySelector('dialog .replay-result').textContent = ''")
        try await press(page, "Send")
        try await page.browser.wait(until: "document.querySelector('dialog .replay-result .to-exchange')")
        return try await page.value(
            "(await ask('exchanges/' + document.querySelector('dialog .replay-result .to-exchange').textContent.match(/\\d+/)[0])).\(member)"
        )
    }

    private static func problem(_ page: PlacesPage) async throws -> String {
        try await press(page, "Send")
        try await page.browser.wait(until: "!document.querySelector('dialog .problem').hidden")
        return try await page.browser.text("document.querySelector('dialog .problem').textContent")
    }

    @Test(
        "A set is sent again, and one request with another order, address, body or head, each by a form that says what is wrong with it"
    )
    func replays() async throws {
        // One demonstration serves all of them. The set is the first, while nothing that it selects is a replay.
        try await PlacesPage.with(.running) { page in
            try await Self.sets(page)
            try await Self.rows(page)
            try await Self.origin(page)
            try await Self.bodies(page)
            try await Self.raw(page)
        }
    }

    /// Fields keep their order, a query item that nobody touched its bytes; the difference of the answers is shown at once.
    private static func rows(_ page: PlacesPage) async throws {
        let browser = page.browser
        let count = "(await ask('exchanges?q=is:replay')).matched"
        let before = try #require(Int(try await page.value(count)))
        let id = try await Self.edit(page, "path:/whatsopen/v2/facilities query:format code:200 method:GET")
        try await Self.press(page, "Add a field")
        try await browser.type("X-First")
        try await browser.press("Tab")
        try await browser.type("one, two")
        for _ in 0..<10 {
            _ = try await browser.run(
                "[...document.querySelectorAll('dialog .rows-of tr')].find((row) => row.querySelector('input').value === 'X-First').querySelector('[aria-label$=up]:not(:disabled)')?.click()"
            )
        }
        try await Self.press(page, "Add a query item")
        try await browser.type("a b")
        let head = try await Self.sent(page, "request.head")
        let lines = head.split(separator: "\r\n").map(String.init)
        #expect(lines.first?.contains("?format=json&a%20b= HTTP/") == true, "\(head)")
        #expect(lines.dropFirst().first == "X-First: one, two", "\(head)")
        #expect(try await page.value(count) == "\(before + 1)")
        try await browser.wait(until: "document.querySelector('dialog .beside .diff')")
        #expect(try await browser.text("document.querySelector('dialog .beside').innerText").contains("X-First"))
        try await browser.click("dialog .replay-result .to-exchange")
        try await browser.wait(
            until: "!document.querySelector('dialog') && location.pathname !== '/exchanges/\(id)'"
        )
    }

    /// The address takes it to another origin and path.
    private static func origin(_ page: PlacesPage) async throws {
        let browser = page.browser
        let plain = try await page.value(
            "(await ask('exchanges?q=' + encodeURIComponent('scheme:http path:/whatsopen'))).exchanges.map(({ host, port }) => `http://${host}:${port}`)[0]"
        )
        _ = try await Self.edit(page, "scheme:https path:/whatsopen/v2/alerts code:200 method:GET")
        _ = try await browser.run(
            "const box = document.querySelector('dialog [name=address]'); box.value = '\(plain)/whatsopen/v2/categories/'; box.dispatchEvent(new Event('change'))"
        )
        let told = try await Self.sent(
            page,
            "request.head.split(' ')[1] + ' ' + document.querySelector('dialog .replay-result h3').innerText"
        )
        #expect(told.hasPrefix("/whatsopen/v2/categories/") && told.contains("200"), "\(told)")
    }

    /// The body is as recorded, a text, base64 or a file.
    private static func bodies(_ page: PlacesPage) async throws {
        let browser = page.browser
        _ = try await Self.edit(page, "method:POST path:/records/query code:200")
        try await Self.press(page, "Text")
        try await browser.wait(until: "document.querySelector('dialog [name=text]').value.includes('DiningDay')")
        _ = try await browser.run(
            "const box = document.querySelector('dialog [name=text]'); box.value = '{\"query\":{}}'; box.dispatchEvent(new Event('input'))"
        )
        #expect(try await Self.sent(page, "request.body.size") == "12")
        try await Self.press(page, "Base64")
        try await browser.wait(until: "document.querySelector('dialog [name=base64]')")
        _ = try await browser.run(
            "const box = document.querySelector('dialog [name=base64]'); box.value = 'AAECAw=='; box.dispatchEvent(new Event('input'))"
        )
        #expect(try await Self.sent(page, "request.body.size") == "4")
        try await Self.press(page, "As recorded")
        #expect(try #require(Int(try await Self.sent(page, "request.body.size"))) > 100)
    }

    /// The whole head can be written by hand; what is wrong is said in one line.
    private static func raw(_ page: PlacesPage) async throws {
        let browser = page.browser
        _ = try await Self.edit(page, "path:/whatsopen/v2/alerts code:200 method:GET")
        _ = try await browser.run(
            "const box = document.querySelector('dialog [name=method]'); box.value = 'NO WAY'; box.dispatchEvent(new Event('input'))"
        )
        #expect(try await Self.problem(page) == "The method is one word, such as GET.")
        _ = try await browser.run(
            "const box = document.querySelector('dialog [name=method]'); box.value = 'GET'; box.dispatchEvent(new Event('input')); document.querySelector('dialog [name=address]').value = 'nowhere'"
        )
        #expect(
            try await Self.problem(page)
                == "The address begins with http:// or https:// and a host, and has no blanks."
        )
        try await browser.click("dialog [name=raw]")
        try await browser.wait(until: "document.querySelector('dialog [name=head]')")
        _ = try await browser.run(
            "const box = document.querySelector('dialog [name=head]'); box.value = 'GET'; box.dispatchEvent(new Event('input'))"
        )
        #expect(try await Self.problem(page) == "The head begins with a method, a target and a version.")
        _ = try await browser.run(
            "const box = document.querySelector('dialog [name=head]'); box.value = 'GET /whatsopen/v2/alerts/?by=hand HTTP/1.1\\nHost: localhost\\nx-ODD: 1'; box.dispatchEvent(new Event('input'))"
        )
        let head = try await Self.sent(page, "request.head")
        #expect(head.contains("/alerts/?by=hand HTTP/1.1\r\n") && head.contains("\r\nx-ODD: 1"), "\(head)")
        try await browser.press("Escape")
        try await browser.wait(until: "!document.querySelector('dialog')")
    }

    /// A set is sent again with its progress and its sum; what nobody would send is left out.
    private static func sets(_ page: PlacesPage) async throws {
        let browser = page.browser
        try await page.open("/?code=404&code=tunnelled", until: "document.querySelector('[data-id]')")
        let wanted = try await page.value("(await ask('exchanges?code=404')).matched")
        _ = try await browser.run(
            "[...document.querySelectorAll('#tools button')].find((one) => one.getAttribute('aria-label') === 'Menu').click()"
        )
        try await browser.wait(
            until: "document.querySelector('#tools').innerText.includes('Replay what is listed')"
        )
        _ = try await browser.run(
            "[...document.querySelectorAll('#tools :is(button, a)')].find((one) => one.textContent.startsWith('Replay what is listed')).click()"
        )
        try await browser.wait(until: "document.querySelector('dialog [name=times]')")
        #expect(try await page.nameless(in: "dialog") == "")
        _ = try await browser.run("document.querySelector('dialog [name=times]').value = 0")
        #expect(try await Self.problem(page) == "Times is a whole number from 1 to 1,000,000.")
        _ = try await browser.run(
            "document.querySelector('dialog [name=times]').value = 1; document.querySelector('dialog [name=to]').value = 'http://me:secret@b.test'"
        )
        #expect(
            try await Self.problem(page) == "a base URL takes no user and password; leave them out of the origin"
        )
        #expect(try await browser.refusedStatuses() == [400])
        _ = try await browser.run("document.querySelector('dialog [name=to]').value = ''")
        _ = try await browser.run(
            "document.querySelector('dialog [name=times]').value = 2; document.querySelector('dialog [name=parallel]').value = 2"
        )
        try await Self.press(page, "Send")
        try await browser.wait(
            until: "/a second\\.$/.test(document.querySelector('dialog .replay-result [role=status]')?.textContent)"
        )
        let sent = try #require(Int(wanted)) * 2
        #expect(
            try await browser.text("document.querySelector('dialog .replay-result [role=status]').textContent")
                .hasPrefix("\(sent) of \(sent) sent, 1 left out.")
        )
        #expect(try await browser.text("document.querySelector('dialog progress').value") == "\(sent)")
        #expect(try await page.value("(await ask('exchanges?q=is:replay')).matched") == "\(sent)")
        _ = try await browser.run("document.querySelector('dialog [name=times]').value = 1")
        try await Self.press(page, "Send")
        try await browser.wait(
            until:
                "[...document.querySelectorAll('dialog a')].some((one) => one.textContent === 'Compare the answers')"
        )
        _ = try await browser.run(
            "[...document.querySelectorAll('dialog a')].find((one) => one.textContent === 'Compare the answers').click()"
        )
        try await browser.wait(
            until: "location.pathname === '/compare' && document.querySelector('.compare-result .sum')"
        )
        #expect(
            try await browser.text("document.querySelector('.compare-result .sum').textContent").hasPrefix(
                "\(wanted) compared"
            )
        )
    }
}
