import Foundation
import Support
import Testing

@Suite("The places that lenses fill, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct PlacesPageTests {
    @Test("A place of which the store has nothing is not in the bar and says how to come by it; the manual is there")
    func nothing() async throws {
        try await PlacesPage.with(.nothing) { page in
            let named = try await page.browser.text("document.querySelector('#places').textContent")
            #expect(!named.contains("Facilities") && !named.contains("Menus") && named.contains("Findings"))
            for (path, title) in [
                ("facilities", "No facilities in the captures"), ("meetings", "No meetings in the captures"),
                ("datasets", "No datasets in the captures"), ("menus", "No menus in the captures"),
            ] {
                try await page.open(
                    "/\(path)",
                    until: "document.querySelector('#place').innerText.includes('inspect demo')"
                )
                #expect(try await page.browser.text("document.querySelector('#place').innerText").contains(title))
                #expect(
                    try await page.browser.text("document.querySelector('#places [aria-current]').textContent")
                        .lowercased()
                        == path
                )
            }
            try await page.open("/manual", until: "document.querySelectorAll('.manual dt a').length > 20")
            try await page.browser.click(".manual dt a[href='/manual?article=queries']")
            try await page.browser.wait(until: "document.querySelector('.manual td code')")
            #expect(try await page.browser.text("document.querySelector('.manual h2').textContent") == "Queries")
            #expect(try await page.browser.text("document.title") == "Queries · inspect")
            try await page.browser.click(".manual a[href='/manual?article=lenses']")
            try await page.browser.wait(until: "document.querySelector('.manual h2')?.textContent === 'Lenses'")
        }
    }

    @Test("Each place's .json twin is what the command prints, and the API's answer too")
    func twins() async throws {
        try await PlacesPage.with { page in
            let at = "2026-11-20T18:30"
            let twins: [(String, [String])] = [
                (
                    "facilities?at=\(at)&compare=all&week=true",
                    ["facilities", "--at", at, "--compare", "all", "--week"]
                ),
                ("alerts?all=true&at=\(at)", ["facilities", "alerts", "--all", "--at", at]),
                (
                    "meetings?day=tue&slots=true&tz=UTC&at=\(at)",
                    ["meetings", "--day", "tue", "--slots", "--tz", "UTC", "--at", at]
                ),
                ("datasets?sort=title", ["datasets", "--sort", "title"]), ("datasets?map=true", ["datasets", "--map"]),
                ("menus?day=all&diet=vegan&at=\(at)", ["menus", "--day", "all", "--type", "vegan", "--at", at]),
            ]
            for (address, arguments) in twins {
                let told = try await page.inspect(arguments)
                let twin = address.replacing("?", with: ".json?")
                for path in ["/\(twin)", "/api/v1/places/\(address)"] {
                    let text = try await page.value("(await page('\(path)')).text()")
                    #expect(text == told.output && text.count > 100, "\(path): \(told.errors)")
                }
            }
            let check = try await page.inspect(["check", "code:200", "--rule", "VM", "--limit", "3"])
            for path in ["/findings.json", "/api/v1/check"] {
                let text = try await page.value("(await page('\(path)?check=VM&limit=3&q=code:200')).text()")
                #expect(text == check.output && text.count > 100, "\(path): \(check.errors)")
            }
            let diff = try await page.inspect(["diff", "--left", "id:1..20", "--right", "id:21..40"])
            let printed = try #require(try JSONSerialization.jsonObject(with: Data(diff.output.utf8)) as? [String: Any])
            let comparisons = try #require(printed["comparisons"] as? [Any])
            for path in ["/compare.json", "/api/v1/diff"] {
                let told = try await page.value(
                    "JSON.stringify((await (await page('\(path)?left=id:1..20&right=id:21..40&same=true')).json()).comparisons)"
                )
                let answered = try #require(try JSONSerialization.jsonObject(with: Data(told.utf8)) as? [Any])
                #expect(NSArray(array: answered).isEqual(to: comparisons) && comparisons.count > 5, "\(path)")
            }
        }
    }

    @Test("What cannot be answered is said in one line, with the status that fits")
    func refusals() async throws {
        let table: [(address: String, status: Int, sentence: String)] = [
            (
                "facilities?compare=windows", 400,
                "compare windows: expected a list of ios, android, web and server, or all"
            ), ("facilities?week=perhaps", 400, "week=perhaps: expected true or false"),
            (
                "meetings?day=someday", 400,
                "day someday: expected sun, mon, tue, wed, thu, fri, sat or a number from 0 to 8"
            ),
            ("nowhere", 404, "No place has this name."),
        ]
        let others = [
            ("places/compare?left=1&right=2", 404, "No place has this name."),
            ("diff?left=1", 400, "Name left and right: two exchanges by number, or two queries."),
            ("diff?left=1&right=9999999", 404, "The store has no exchange 9999999."),
            (
                "diff?left=1&right=2&ignore=x", 400,
                "ignore: 'x' is nothing to ignore; expected header:NAME, json:$.PATH or query:NAME"
            ), ("diff?left=1&right=2&learn=1,2", 400, "learn=1,2: exchange 1 is no replay of exchange 1."),
            ("diff?left=1&right=2&no-default-ignore=x", 400, "no-default-ignore=x: expected true or false"),
        ]
        try await PlacesPage.with { page in
            for (address, status, sentence) in table.map({ ("places/\($0.address)", $0.status, $0.sentence) }) + others
            {
                let text = try await page.value(
                    "page('/api/v1/\(address)').then(async (answer) => answer.status + ' ' + (await answer.json()).error)"
                )
                #expect(text == "\(status) \(sentence)")
            }
            #expect(try await page.browser.refusedStatuses() == table.map(\.1) + others.map(\.1))
        }
    }

    @Test("The week of the facilities says of any moment what the API says, of the truth and of each client")
    func facilities() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/facilities", until: "document.querySelectorAll('tr.facility').length === 27")
            #expect(try await browser.text("document.querySelectorAll('tr.facility td.day').length") == "189")
            #expect(try await page.nameless(in: "#place") == "")
            // A filter by client is the list's, and no choice of this place.
            let client = try await page.value(
                "ask('places/facilities').then(async ({ exchange }) => encodeURIComponent((await ask(`exchanges/${exchange}`)).client))"
            )
            try await page.open(
                "/facilities?client=\(client)",
                until: "document.querySelector('tr.facility .state-word')"
            )
            try await page.open("/facilities", until: "document.querySelectorAll('tr.facility').length === 27")
            // The page works it out from the week; the API from the schedules.
            for at in [
                "2026-11-16T00:30", "2026-11-18T11:45", "2026-11-20T19:15", "2026-11-21T08:00", "2026-11-22T01:30",
            ] {
                let other = try await page.value(
                    """
                    await (async () => {
                      const { facilities } = await ask('places/facilities?compare=all&at=\(at)');
                      const found = [];
                      for (const client of ['ios', 'android', 'web', 'server']) {
                        history.pushState(null, '', `/facilities?at=\(at)&app=${client}`);
                        dispatchEvent(new PopStateEvent('popstate'));
                        const differing = () => facilities.map((one) => {
                          const row = document.querySelector(`tr[data-slug="${one.slug}"]`);
                          if (!row) return `no ${one.slug}`;
                          const isOpen = row.querySelector('.state-word').textContent === 'Open';
                          const verdict = row.querySelector('.verdict')?.textContent ?? '';
                          const isWrong = verdict !== '';
                          const { says, isRight } = one.compare.find((said) => said.client === client);
                          return isOpen === one.openNow && isWrong === !isRight && (isRight || verdict.includes(says)) ? '' : `${client} ${one.slug} ${says} ${isRight} ${row.innerText}`;
                        }).filter(Boolean).join('; ');
                        const end = performance.now() + \(Patience.seconds(15) * 1_000);
                        do await new Promise((resolve) => setTimeout(resolve, 10)); while (differing() && performance.now() < end);
                        found.push(differing());
                      }
                      return found.filter(Boolean).join('; ');
                    })()
                    """
                )
                #expect(other == "", "\(at)")
            }
        }
    }

    @Test("The slider moves through the week by keys, keeps its moment in the address, and a facility says why")
    func slider() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/facilities?at=2026-11-18T12:00", until: "document.querySelector('tr.facility')")
            _ = try await browser.run("document.querySelector('#moment').focus()")
            try await browser.press("ArrowRight", "ArrowRight")
            let moment = try await browser.text("document.querySelector('.moment').textContent")
            #expect(moment == "\(PlacesPage.day("Wed 18 Nov", of: 2026)) 12:10")
            try await browser.wait(until: "new URLSearchParams(location.search).get('at') === '2026-11-18T12:10'")
            try await browser.press("Home")
            let monday = try await browser.text("document.querySelector('.moment').textContent")
            #expect(monday == "\(PlacesPage.day("Mon 16 Nov", of: 2026)) 00:00")
            try await browser.click(".time-travel button:nth-of-type(2)")
            try await browser.wait(until: "document.querySelector('.moment').textContent.startsWith('Mon 23 Nov')")
            try await browser.click("tr.facility .twist-button")
            try await browser.wait(until: "document.querySelectorAll('.why:not([hidden]) tbody tr').length === 4")
            try await browser.wait(
                until: "document.querySelector('.why:not([hidden]) dd').textContent.includes('main one')"
            )
            try await browser.click(".why:not([hidden]) .to-exchange")
            try await browser.wait(until: "location.pathname.startsWith('/exchanges/') && location.hash === '#decoded'")
            try await browser.wait(until: "document.querySelector('.decoded .fields tbody tr')")
            _ = try await browser.run("history.back()")
            try await browser.wait(until: "document.querySelectorAll('tr.facility').length === 27")
        }
    }

    @Test("Facilities are found by words, campus and what holds then; the sum says how many")
    func filters() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/facilities", until: "document.querySelector('tr.facility')")
            try await page.write("donuts", into: ".controls input[type=search]")
            // What is typed is taken when it rests, which it may do half-way on a busy machine.
            try await browser.wait(until: "new URLSearchParams(location.search).get('search') === 'donuts'")
            try await browser.wait(
                until: "[...document.querySelectorAll('tr.facility')].filter((row) => !row.hidden).length === 1"
            )
            #expect(
                try await browser.text("document.querySelector('[role=status].quiet').textContent").hasSuffix(
                    "1 shown."
                )
            )
            try await page.open("/facilities?show=open", until: "document.querySelector('tr.facility')")
            #expect(
                try await browser.text(
                    "[...document.querySelectorAll('tr.facility')].every((row) => row.hidden === (row.querySelector('.state-word').textContent !== 'Open'))"
                ) == "true"
            )
            #expect(try await browser.text("document.querySelectorAll('.alerts .alert').length > 2") == "true")
        }
    }

    @Test("A day's meetings stand in their slots; a time past the last shows where the app would go")
    func meetings() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/meetings?day=tue&zone=Europe/Berlin", until: "document.querySelector('.meeting')")
            let number = try await page.value(
                "(await ask('places/meetings?day=tue&slots=true&tz=Europe/Berlin')).listed"
            )
            #expect(try await browser.text("document.querySelectorAll('.meeting').length") == number)
            #expect(try await page.nameless(in: "#place") == "")
            let sum =
                "[...document.querySelectorAll('.slot-list button')].reduce((sum, one) => sum + Number(one.lastChild.textContent), 0)"
            #expect(try await browser.text("\(sum)") == number)
            try await browser.click(".slot-list li:nth-child(2) button")
            try await browser.wait(until: "document.querySelector('.slot-list [aria-pressed=true]')")
            #expect(
                try await browser.text(
                    "document.querySelectorAll('.meeting').length + ' ' + document.querySelector('.slot-list [aria-pressed=true]').lastChild.textContent"
                ).split(separator: " ").reduce(into: Set()) { $0.insert($1) }.count == 1
            )
            try await page.open(
                "/meetings?day=tue&time=23:59&zone=Europe/Berlin",
                until: "document.querySelector('.slots .problem')"
            )
            #expect(try await browser.text("document.querySelector('.slots .problem').textContent").contains("V2"))
            try await page.write("owls", into: ".controls input[type=search]")
            try await browser.wait(until: "new URLSearchParams(location.search).get('search') === 'owls'")
            try await browser.wait(
                until:
                    "document.querySelectorAll('.meeting').length > 0 && [...document.querySelectorAll('.meeting h4')].every((one) => /owls/i.test(one.textContent))"
            )
            try await browser.wait(
                until: "[...document.querySelectorAll('.rule code')].some((one) => one.textContent === 'VM-V2')"
            )
        }
    }

    @Test("The star of a meeting marks it as attended, which the command knows, too; only those can be listed")
    func attends() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/meetings?day=tue&zone=UTC", until: "document.querySelector('.meeting .attend')")
            let all = try await browser.text("document.querySelectorAll('.meeting').length")
            #expect(all != "1")
            let id = try await browser.text("document.querySelector('.meeting').dataset.meeting")
            let star = "document.querySelector('[data-meeting=\"\(id)\"] .attend')"
            _ = try await browser.run("\(star).focus()")
            try await browser.press("Enter")
            try await browser.wait(
                until: "\(star)?.getAttribute('aria-pressed') === 'true' && document.activeElement === \(star)"
            )
            let told = try await page.inspect(["meetings", "--attended"])
            #expect(told.output.contains("\"\(id)\"") && told.output.contains("\"attended\":true"), "\(told.errors)")
            try await browser.click("[name=attended]")
            try await browser.wait(until: "document.querySelectorAll('.meeting').length === 1")
            #expect(try await browser.text("new URLSearchParams(location.search).get('attended')") == "yes")
            _ = try await browser.run("\(star).click()")
            try await browser.wait(
                until:
                    "document.querySelector('.meeting-list').innerText.includes('No meeting that you attend matches')"
            )
            try await browser.click("[name=attended]")
            try await browser.wait(until: "document.querySelectorAll('.meeting').length === \(all)")
            #expect(try await page.inspect(["meetings", "--attended"]).output.contains("\"attended\":true") == false)
            for (place, body, status) in [
                ("meetings", "{\"add\":[\"owl\"]}", "400"), ("meetings", "{}", "400"),
                ("menus", "{\"add\":[\"1/2\"]}", "404"),
                ("nowhere", "{\"add\":[\"1/2\"]}", "404"),
            ] {
                let answer = try await page.value(
                    "page('/api/v1/places/\(place)/marks', { method: 'POST', body: '\(body)' }).then(({ status }) => status)"
                )
                #expect(answer == status, "\(place) \(body)")
            }
            #expect(try await browser.refusedStatuses() == [400, 400, 404, 404])
        }
    }

    @Test("Datasets are cards with freshness, formats and resources, found by their facets, in one to three columns")
    func datasets() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/datasets", until: "document.querySelectorAll('.card').length === 14")
            #expect(try await page.nameless(in: "#place") == "")
            let stale = try await page.value("(await ask('places/datasets?stale=true')).matched")
            try await page.open("/datasets?show=stale", until: "document.querySelectorAll('.card').length === \(stale)")
            let csv = try await page.value("(await ask('places/datasets?format=CSV')).matched")
            try await page.open("/datasets?format=CSV", until: "document.querySelectorAll('.card').length === \(csv)")
            #expect(
                try await browser.text(
                    "[...document.querySelectorAll('.card')].every((one) => one.querySelector('[aria-label=Formats]').innerText.includes('CSV'))"
                )
                    == "true"
            )
            for columns in ["1", "2", "3"] {
                try await browser.click(".controls [data-value='\(columns)']")
                try await browser.wait(
                    until:
                        "getComputedStyle(document.querySelector('.cards .portion')).gridTemplateColumns.split(' ').length === \(columns)"
                )
            }
            #expect(
                try await browser.text("document.querySelector('#place').innerText").contains("no pin in the app (C3)")
            )
            #expect(try await browser.text("document.querySelector('#place').innerText").contains("° N"))
        }
    }

    @Test("Menus are a tree of hall, meal, section and food; a food says its nutrition, a plan its swipes")
    func menus() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await page.open("/menus?plan=BP19", until: "document.querySelector('.swipes b')")
            #expect(try await page.nameless(in: "#place") == "")
            let meal = try await page.value("document.querySelector('.swipes').textContent")
            #expect(meal.contains("Swipes left in week") && meal.hasSuffix("may be wrong."), "\(meal)")
            #expect(
                try await page.value("(await ask('places/swipes?plan=BP19&week=0&day=mon&meal=breakfast')).left")
                    == "208"
            )
            #expect(
                try await browser.text(
                    "document.querySelectorAll('.menu-tree > details > .under-branch > details').length > 4"
                ) == "true"
            )
            _ = try await browser.run(
                "document.querySelectorAll('.menu-tree details').forEach((one) => { one.open = true; }); document.querySelector('button.food').focus()"
            )
            try await browser.press("Enter")
            try await browser.wait(until: "document.querySelectorAll('.nutrition tbody tr').length === 15")
            try await browser.wait(until: "document.activeElement.getAttribute('aria-label') === 'Close the food'")
            try await browser.press("Enter")
            try await browser.wait(until: "document.activeElement.classList.contains('food')")
            try await browser.click("[aria-label=Day] [aria-pressed=false]")
            try await browser.wait(until: "new URLSearchParams(location.search).get('day')")
            try await page.open("/menus?diet=vegan", until: "document.querySelector('.food')")
            #expect(
                try await browser.text(
                    "[...document.querySelectorAll('.menu-section li')].every((one) => one.textContent.includes('Vegan'))"
                ) == "true"
            )
        }
    }

    @Test("A filter of the list that leaves nothing of a place says so, and can be taken away there")
    func underFilter() async throws {
        try await PlacesPage.with { page in
            try await page.open("/facilities?code=404", until: "document.querySelector('.absent')")
            #expect(
                try await page.browser.text("document.querySelector('.under').innerText").contains(
                    "only the exchanges that the list's filter selects"
                )
            )
            try await page.browser.click(".under a")
            try await page.browser.wait(until: "document.querySelectorAll('tr.facility').length === 27")
        }
    }
}
