import Foundation
import Testing
import Traffic

@Suite("Parts of the page by themselves, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct PartPageTests {
    /// Loads the page once, far west of Greenwich, and asks its parts one after the other.
    private func parts(
        _ body: @escaping @Sendable (_ come: @escaping @Sendable (String) async throws -> String) async throws -> Void
    ) async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.devTools("Emulation.setTimezoneOverride", ["timezoneId": "America/Los_Angeles"])
                try await browser.open("http://127.0.0.1:\(page.port)/?since=2026-11-20&token=\(page.token)")
                try await browser.wait(until: "document.getElementById('since')?.value")
                try await body { script in try await browser.result(of: script) }
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Sizes, numbers, times and dates are as people write them, and what a key looks for is marked, not the key")
    func words() async throws {
        try await parts { come in
            let sizes = try await come(
                "const { bytes } = await import(asset('format.js')); return [999, 1000, 999_499, 999_600, 1_500_000, 999_999_999, 3e15].map(bytes).join(', ')"
            )
            #expect(sizes == "999 B, 1.00 KB, 999 KB, 1.00 MB, 1.50 MB, 1.00 GB, 3,000 TB")
            let times = try await come(
                "const { duration } = await import(asset('format.js')); return [0.9999, 9.96, 999.7, 59_994, 59_999, 119_900].map(duration).join(', ')"
            )
            #expect(times == "1.0 ms, 10 ms, 1.00 s, 59.99 s, 1 min 0 s, 2 min 0 s")
            // A date where it is not today's, and a year where it is not this one; the column has room for the longest.
            let dates = try await come(
                """
                const { time } = await import(asset('format.js'));
                const { Columns } = await import(asset('columns.js'));
                const now = new Date();
                const at = (year) => new Date(year, now.getMonth() < 6 ? 8 : 2, 6, 7, 8, 9);
                const year = now.getFullYear();
                const columns = new Columns();
                const widths = [now, at(year), at(year - 1), now].map((one) => {
                  columns.cover(one.toISOString());
                  return columns.width('time');
                });
                return [time(at(year - 1)).replace(year - 1, 'YEAR'), time(at(year)), time(now).length, widths].join();
                """
            )
            let isFirstHalf = dates.contains("6 Sept")
            let day = isFirstHalf ? "6 Sept" : "6 Mar"
            #expect(dates == "\(day) YEAR 07:08:09,\(day) 07:08:09.000,12,112,160,160,160")
            let numbers = try await come(
                "const { counted } = await import(asset('format.js')); return [counted(0, 'row'), counted(1, 'row'), counted(1_200, 'row'), counted(1, 'body is', 'bodies are'), counted(2, 'body is', 'bodies are')].join('; ')"
            )
            #expect(numbers == "0 rows; 1 row; 1,200 rows; 1 body is; 2 bodies are")
            // A date without a time of day is this place's, as the server reads it.
            let moments = try await come(
                """
                const { moment } = await import(asset('slots.js'));
                return [moment('2026-11-20') === new Date(2026, 10, 20).getTime(), moment('2h ago', 7_200_000), document.getElementById('since').value].join();
                """
            )
            #expect(moments == "true,0,2026-11-20T00:00")
            let ages = try await come(
                """
                const { ages } = await import(asset('slots.js'));
                return ages('code:200 since:5m -before:"2h ago" (since:2026-11-20 or before:1d)').join();
                """
            )
            #expect(ages == "5m,2h ago,1d")
            let literal = try await come(
                """
                const { terms } = await import(asset('highlight.js'));
                const { key } = await import(asset('enter.js'));
                const { keys } = await (await fetch('/api/v1/filter/keys', { headers: { Authorization: `Bearer ${key()}` } })).json();
                return [keys.length > 20, keys.filter(({ name }) => terms(`${name}:x`).some((one) => one.includes(':'))).map(({ name }) => name), terms('message:ping')].join();
                """
            )
            #expect(literal == "true,,ping")
            let paths = try await come(
                #"const { jsonPath } = await import(asset('json-path.js')); return [[], ['a', 0, "it's"], ['\\', '\n', '\u0001', 'é"']].map(jsonPath).join(' ')"#
            )
            #expect(paths == #"$ $['a'][0]['it\'s'] $['\\']['\n']['\u0001']['é"']"#)
            let shell = try await come(
                #"const { shellWord } = await import(asset('format.js')); return ["it's", "a\nb", "\u202e'\\"].map(shellWord).join();"#
            )
            #expect(shell == #"'it'\''s','a"# + "\n" + #"b',$'\xe2\x80\xae\'\\'"#)
        }
    }

    @Test("Of the parts of a body those that are shown are cut out, and the others are counted")
    func cutParts() async throws {
        try await parts { come in
            let told = try await come(
                """
                const { MultipartView } = await import(asset('body-multipart.js'));
                const slice = Blob.prototype.slice;
                let cuts = 0;
                Blob.prototype.slice = function (...ends) { cuts += 1; return slice.apply(this, ends); };
                const told = [];
                for (const [count, end] of [[1_000, ''], [1_000, '\\n--a--'], [200, '\\n--a--\\n--a'], [0, '--a--']]) {
                  const view = new MultipartView(new Blob(['\\n--a'.repeat(count), end]), 'multipart/mixed; boundary=a',
                    { drawPart: () => ({ element: document.createElement('p'), end() {} }) });
                  while (view.element.querySelector('[role=status]')) await new Promise((done) => setTimeout(done, 5));
                  told.push([view.element.querySelectorAll('.part').length, ...[...view.element.children].filter(({ localName }) => localName === 'p').map(({ textContent }) => textContent)].join('; '));
                }
                Blob.prototype.slice = slice;
                return [...told, cuts < 3_000].join('\\n');
                """
            )
            #expect(
                told == """
                    200; 1,000 parts, 200 of them shown; The closing boundary is missing.
                    200; 1,000 parts, 200 of them shown
                    200; 200 parts
                    0; 0 parts
                    true
                    """
            )
        }
    }

    @Test("A preview has nothing that makes a browser connect: links, and frames that could hold any, are renamed")
    func preview() async throws {
        try await parts { come in
            let drawn = try await come(
                """
                const { PreviewView } = await import(asset('body-preview.js'));
                const real = URL.createObjectURL;
                let drawn = null;
                URL.createObjectURL = (blob) => {
                  drawn = blob;
                  return real.call(URL, new Blob([]));
                };
                const body = '<p srcdoc=x>iframe<iFrame\\nsrcdoc="&lt;link rel=preconnect href=//a.test>">b</iframe><LINK rel=x><iframes>';
                const view = new PreviewView(new Blob([body]));
                view.element.querySelector('button').click();
                while (!drawn) await new Promise((done) => setTimeout(done, 5));
                URL.createObjectURL = real;
                view.end();
                return (await drawn.text()).slice((await drawn.text()).indexOf('<p srcdoc'));
                """
            )
            let renamed = "<p srcdoc=x>iframe<x-iFrame\nsrcdoc=\"&lt;link rel=preconnect href=//a.test>\">b</x-iframe>"
            #expect(drawn == renamed + "<x-LINK rel=x><iframes>")
        }
    }

    @Test("A jq path stands whole within the single quotes of a shell")
    func jqPaths() async throws {
        try await parts { come in
            let paths = try await come(
                #"const { jq } = await import(asset('json-tree.js')); return [["a'b"], ["a", 1, "x';y;'z"], ["'"]].map(jq).join(' ');"#
            )
            #expect(paths == #".["a\u0027b"] .a[1]["x\u0027;y;\u0027z"] .["\u0027"]"#)
        }
    }

    @Test("An error whose answer tells nothing is told by its status")
    func untold() async throws {
        try await parts { come in
            let told = try await come(
                """
                const { refusal } = await import(asset('api.js'));
                const real = globalThis.fetch;
                const told = [];
                for (const text of ['null', 'no JSON', '{}', '{"error":"It is full."}']) {
                  globalThis.fetch = async (path, options) => path === '/api/v1/none' ? new Response(text, { status: 503 }) : real(path, options);
                  const { status, message } = await refusal('none');
                  told.push(`${status} ${message}`);
                }
                globalThis.fetch = real;
                return told.join(' ');
                """
            )
            let untold = Array(repeating: "503 The server answered 503.", count: 3)
            #expect(told == (untold + ["503 It is full."]).joined(separator: " "))
        }
    }

    @Test("Of several answers the last question's is shown, of counts too, and a slow overview is waited for")
    func order() async throws {
        try await parts { come in
            let food = try await come(
                """
                const { FoodPanel } = await import(asset('food.js'));
                const waiting = {};
                const panel = new FoodPanel({ get: (name, { food }) => new Promise((done) => { waiting[food] = () => done({ name: food, type: 'Regular', recipe: food, nutrition: [], places: [] }); }) });
                const shown = [panel.show('first', null), panel.show('second', null)];
                waiting.second();
                await shown[1];
                waiting.first();
                await shown[0];
                return panel.element.querySelector('h3').textContent;
                """
            )
            #expect(food == "second")
            let overview = try await come(
                """
                const { Overview } = await import(asset('overview.js'));
                const real = window.fetch;
                const waiting = [];
                let given = 0;
                // The page around this asks for an overview of its own.
                window.fetch = (path, options) => !path.includes('overview?q=ours') ? real(path, options) : new Promise((done, fail) => {
                  options.signal.addEventListener('abort', () => { given += 1; fail(new DOMException('', 'AbortError')); });
                  waiting.push(() => done(new Response('{}')));
                });
                const one = new Overview({ filter: 'q=ours', addEventListener() {} });
                let told = 0;
                one.addEventListener('told', () => { told += 1; });
                const first = one.ask();
                for (let count = 0; count < 5; count += 1) {
                  one.again();
                  await new Promise((done) => setTimeout(done, 5));
                }
                const asked = waiting.length;
                waiting[0]();
                await first;
                while (waiting.length < 2) await new Promise((done) => setTimeout(done, 5));
                window.fetch = real;
                return [asked, given, told].join();
                """
            )
            #expect(overview == "1,0,1")
            let counts = try await come(
                """
                const { Counts } = await import(asset('counts.js'));
                const real = window.fetch;
                const waiting = [];
                window.fetch = (path, options) => !path.includes('these&') ? real(path, options)
                  : new Promise((done) => waiting.push((total) => done(new Response(`{"total":${total}}\n`))));
                const one = new Counts({ filter: 'these', addEventListener() {} });
                const first = one.count({ signal: new AbortController().signal });
                one.again();
                while (waiting.length < 2) await new Promise((done) => setTimeout(done, 5));
                waiting[1](2);
                while (one.total !== 2) await new Promise((done) => setTimeout(done, 5));
                waiting[0](1);
                await first;
                window.fetch = real;
                return one.total;
                """
            )
            #expect(counts == "2")
        }
    }

    @Test("More rows than may wait while nobody is ready for them give one resync, and the next are handed on")
    func waiting() async throws {
        try await parts { come in
            let told = try await come(
                """
                const { Live } = await import(asset('live.js'));
                const real = window.EventSource;
                let source = null;
                window.EventSource = class extends EventTarget {
                  constructor(url) {
                    super();
                    // The page's own may come anew meanwhile.
                    if (String(url).includes('ours')) source = this;
                  }
                  close() {}
                };
                let isReady = false;
                const told = [];
                const live = new Live({
                  isReady: () => isReady, open() {}, lost() {}, refused() {},
                  changes: (list) => told.push(list.length), resync: () => told.push('resync'),
                });
                live.follow('q=ours');
                while (!source) await new Promise((done) => setTimeout(done, 5));
                window.EventSource = real;
                const rows = (count) => {
                  const data = JSON.stringify({ exchanges: Array.from({ length: count }, (_, at) => ({ id: at + 1 })), others: [] });
                  source.dispatchEvent(new MessageEvent('changes', { data }));
                };
                const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                const flushed = async () => {
                  await frames();
                  told.push('ready');
                  isReady = true;
                  live.flush();
                  live.flush();
                  isReady = false;
                };
                for (let count = 0; count < 10_000; count += 100) rows(100);
                await flushed();
                for (let count = 0; count < 10_000; count += 100) rows(100);
                rows(1);
                await flushed();
                rows(1);
                await flushed();
                return told.join();
                """
            )
            #expect(told == "ready,100,ready,resync,ready,1")
        }
    }

    @Test("Changes settle to the last word on each exchange; new ones come into a followed list, and wait else")
    func merging() async throws {
        try await parts { come in
            let told = try await come(
                """
                const { merge } = await import(asset('merge.js'));
                const { Held } = await import(asset('held.js'));
                const told = [];
                for (const isFollowing of [true, false]) {
                  const held = new Held();
                  held.order = (one, other) => other.id - one.id;
                  held.replace(0, [9, 7, 5].map((id) => ({ id })), { isFirst: true, isLast: true });
                  const pages = { newest: 9, growsAtEnd: false, buckets: null };
                  const fresh = new Set();
                  const { above, ids } = merge([
                    { exchanges: [{ id: 10 }, { id: 7, code: 200 }, { id: 8 }], others: [9] },
                    { exchanges: [{ id: 11 }, { id: 9 }], others: [10, 5] },
                  ], { held, pages, fresh, inSight: 1, isFollowing });
                  const rows = held.rows.map(({ id, code }) => (code ? `${id}=${code}` : id));
                  told.push([rows, `newest ${pages.newest}`, `fresh ${[...fresh]}`, `above ${above}`, `changed ${ids}`].join('; '));
                }
                return told.join('\\n');
                """
            )
            let lines = told.split(separator: "\n")
            #expect(lines.first == "11,9,8,7=200; newest 11; fresh ; above 1; changed 7,8,11,9,10,5")
            #expect(lines.last == "9,8,7=200; newest 9; fresh 11; above 0; changed 7,8,11,9,10,5")
        }
    }

    @Test("What is copied is handed to the browser while the click lasts")
    func copies() async throws {
        try await Pane.with { page in
            try await page.store.record(Recorded.exchange())
        } _: { pane in
            try await pane.open(1)
            let written = try await pane.browser.result(
                of: """
                    let item = null;
                    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => {}, write: async ([one]) => { item = one; } } });
                    [...document.querySelectorAll('#detail .menu-item')].find((one) => one.textContent === 'curl').click();
                    return item && (await (await item.getType('text/plain')).text());
                    """
            )
            #expect(written.contains("curl") && written.contains("api.example.test"))
        }
    }
}
