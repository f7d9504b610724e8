import Testing

@Suite("What the page knows of the running rules, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct RunningRulesPageTests {
    /// Rules `a` and `b`, and `c`, which is off, at a server that is asked by `running` alone.
    ///
    /// `fate` is what becomes of the next POST: it is done unless it is refused, and answered unless it is lost or held, until `release` is called.
    private static let server = """
        const { RunningRules } = await import(asset('running-rules.js'));
        const on = new Map([['a', true], ['b', true], ['c', false]]);
        const ended = new Set();
        let [hits, counted] = [0, 0];
        let fate = 'answered';
        let release = () => {};
        const asked = [];
        const told = () => ({
          rules: [...on].map(([name, isOn]) => ({ name, on: isOn, ended: ended.has(name) ? 'times' : null })), all: on.size, active: [...on.values()].filter(Boolean).length,
          hits, files: [], problems: [],
        });
        const answer = (value) => ({ ok: true, json: async () => value });
        const others = window.fetch;
        window.fetch = async (path, { method = 'GET', body } = {}) => {
          if (path.includes('is:modified')) return answer({ matched: counted += 1 });
          if (!path.startsWith('/api/v1/rules')) return others(path);
          asked.push(`${method} ${path.replace('/api/v1/', '')}`);
          const before = told();
          if (method === 'GET') return answer(path.includes('limit=0') ? { ...before, rules: [] } : before);
          if (fate === 'refused') return { ok: false, status: 404, json: async () => ({ error: 'No rule is named so.' }) };
          const { names = [...on.keys()], on: isOn } = JSON.parse(body);
          for (const name of names) on.set(name, isOn);
          if (fate === 'lost') throw new TypeError();
          if (fate === 'held') await new Promise((done) => { release = done; });
          return answer(told());
        };
        const running = new RunningRules({ isRunning: true, listing: new EventTarget() });
        const attempt = async (does) => {
          try { await does(); } catch (error) { return error.constructor.name; }
          return 'done';
        };
        // Has it ask, and waits until it has told what it was answered, or for so long that it must have.
        const look = async () => {
          running.show(true);
          for (let turn = 0; turn < 100; turn += 1) await null;
        };
        const waiting = () => `${running.sum.active} on, waiting: ${running.waiting.join('+')}`;
        """

    /// Runs the body of an async function beside that server.
    private static func come(to script: String) async throws -> String {
        // The page itself knows of no proxy, and asks for no rules.
        try await RunningPage.with { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/setup?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#place .setup')")
                return try await browser.result(of: "\(server)\n\(script)")
            }
        }
    }

    @Test(
        "Whatever becomes of turning all off, those that were on have a way back as long as one of them is off",
        arguments: [
            ("answered", "done 0 on, waiting: a+b; 1 on, waiting: a+b; 2 on, waiting: b; 3 on, waiting: "),
            // They are off, though nobody was told so.
            ("lost", "Unreachable 0 on, waiting: a+b; 1 on, waiting: a+b; 2 on, waiting: b; 3 on, waiting: "),
            ("refused", "Refusal 2 on, waiting: ; 3 on, waiting: ; 3 on, waiting: ; 3 on, waiting: "),
        ]
    )
    func wayBack(fate: String, expected: String) async throws {
        let told = try await Self.come(
            to: """
                await look();
                fate = '\(fate)';
                const ends = [await attempt(() => running.turnOff())];
                fate = 'answered';
                await look();
                ends[0] += ` ${waiting()}`;
                // A rule that is new, and one that somebody switches on by itself.
                on.set('d', true);
                await look();
                ends.push(waiting());
                await running.turn(['a'], true);
                ends.push(waiting());
                await running.turnOn();
                ends.push(waiting());
                return ends.join('; ');
                """
        )
        #expect(told == expected)
    }

    @Test(
        "A rule that is missing for a moment is kept in mind when the others are turned on again; one that has ended is not counted"
    )
    func missing() async throws {
        let told = try await Self.come(
            to: """
                ended.add('b');
                on.set('d', true);
                await look();
                await running.turnOff();
                on.delete('a');
                const ends = [`${running.waiting.join('+')} ${running.endedCount}`];
                await running.turnOn();
                ends.push(waiting());
                on.set('a', false);
                await look();
                ends.push(waiting());
                await running.turnOn();
                ends.push(waiting());
                running.show(false);
                return ends.join('; ');
                """
        )
        #expect(told == "a+b+d 1; 2 on, waiting: ; 2 on, waiting: a; 3 on, waiting: ")
    }

    @Test("What rules changed is counted again when they applied, though the list tells of nothing")
    func counts() async throws {
        let told = try await Self.come(
            to: """
                const is = async (number) => {
                  for (let turn = 0; turn < 1_000 && running.changed !== number; turn += 1) await new Promise((done) => setTimeout(done, 10));
                  return running.changed;
                };
                await look();
                const first = await is(1);
                hits = 3;
                await look();
                return [first, await is(2)].join();
                """
        )
        #expect(told == "1,2")
    }

    @Test("A dry run that is given up while it waits for its turn says nothing later")
    func givenUp() async throws {
        let told = try await Self.come(
            to: """
                const { RuleTrial } = await import(asset('rule-trial.js'));
                window.fetch = () => new Promise(() => {});
                const [first, second] = [1, 2].map(() => new RuleTrial({ view: { filter: '' } }));
                first.run({ names: ['a'] });
                second.run({ names: ['b'] });
                second.stop();
                for (let turn = 0; turn < 1_000 && !first.element.textContent; turn += 1) await new Promise((done) => setTimeout(done, 10));
                await new Promise((done) => setTimeout(done, 50));
                return [first, second].map(({ element }) => element.textContent).join('|');
                """
        )
        #expect(told == "Trying on what was recorded…|")
    }

    @Test("Nothing is asked while rules are switched, and an answer of before is not taken for the state of now")
    func meanwhile() async throws {
        let told = try await Self.come(
            to: """
                await look();
                fate = 'held';
                const off = running.turnOff();
                await look();
                const number = asked.length;
                await look();
                const isQuiet = asked.length === number;
                release();
                await off;
                return [isQuiet, waiting()].join();
                """
        )
        #expect(told == "true,0 on, waiting: a+b")
    }

    @Test("More rules than one request switches are turned on again, also where that failed halfway")
    func many() async throws {
        let told = try await Self.come(
            to: """
                for (let number = 0; number < 1500; number += 1) on.set(`r${number}`, true);
                await look();
                await running.turnOff();
                const real = window.fetch;
                let posts = 0;
                window.fetch = (path, options) => {
                  posts += options?.method === 'POST';
                  return posts === 2 ? Promise.resolve({ ok: false, status: 404, json: async () => ({ error: 'No.' }) }) : real(path, options);
                };
                const first = await attempt(() => running.turnOn());
                const rest = running.waiting.length;
                window.fetch = real;
                await running.turnOn();
                return [first, rest, running.sum.active, running.waiting.length, on.get('c')].join();
                """
        )
        #expect(told == "Refusal,502,1502,0,false")
    }

    @Test("What was true when the rules were last shown is not shown again")
    func old() async throws {
        let told = try await Self.come(
            to: """
                await look();
                running.show(false);
                // As where only the sum was asked for since.
                running.sum = { ...running.sum };
                on.set('a', false);
                const shown = [];
                const show = () => shown.push(running.answer?.rules.map(({ on: isOn }) => isOn).join('+') ?? 'nothing');
                running.addEventListener('changed', show);
                running.show(true);
                show();
                for (let turn = 0; turn < 100; turn += 1) await null;
                return shown.join();
                """
        )
        #expect(told == "nothing,false+true+false")
    }

    @Test("Dry runs are asked for one after another, and one that is given up before its turn is not asked for")
    func trials() async throws {
        let told = try await Self.come(
            to: """
                const { RuleTrial } = await import(asset('rule-trial.js'));
                let [open, most, count] = [0, 0, 0];
                window.fetch = async () => {
                  count += 1;
                  open += 1;
                  most = Math.max(most, open);
                  for (let turn = 0; turn < 50; turn += 1) await null;
                  open -= 1;
                  return answer({ rules: [], problems: [], warnings: [], of: 0, looked: 0, touched: 0, late: false });
                };
                const all = [1, 2, 3].map(() => new RuleTrial({ view: { filter: '' } }));
                const runs = all.map((trial) => trial.run({ names: ['a'] }));
                all[1].stop();
                await Promise.all(runs);
                return `${most} at once, ${count} asked`;
                """
        )
        #expect(told == "1 at once, 2 asked")
    }
}
