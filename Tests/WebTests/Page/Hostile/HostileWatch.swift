import Support

/// What notices that a payload did more than be read: it is in every document from before its first script on.
enum HostileWatch {
    /// Notes runs, questions to anybody, what the page's policy had to stop, errors, and elements and attributes that the page does not make.
    static let script = """
        (() => {
          if (window !== top) return;
          const told = [];
          const tell = (what) => { if (told.length < 10) told.push(String(what).slice(0, 200)); };
          Object.defineProperty(window, '__told', { value: told });
          Object.defineProperty(window, '__ran', { get: () => undefined, set: () => tell('it ran') });
          for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => tell(`${name} was called`);
          // A view that is drawn anew while it is measured is said as an error too.
          addEventListener('error', ({ message }) => message.startsWith('ResizeObserver loop') || tell(`error: ${message}`));
          addEventListener('unhandledrejection', ({ reason }) => tell(`rejected: ${reason}`));
          document.addEventListener('securitypolicyviolation', (event) => tell(`stopped: ${event.violatedDirective} ${event.blockedURI}`));
          const isOurs = (address) => { try { return new URL(address, location.href).origin === location.origin; } catch { return false; } };
          new PerformanceObserver((list) => list.getEntries().forEach(({ name }) => isOurs(name) || tell(`asked for ${name}`))).observe({ type: 'resource', buffered: true });
          const known = new Set(`html head title meta link script style body noscript header nav main aside section article footer h1 h2 h3 h4 h5 p span div b i
            code pre kbd mark ins del ul ol li dl dt dd table caption thead tbody tr th td a button form fieldset legend label input select option datalist textarea
            output progress details summary dialog figure figcaption img audio video canvas hr`.split(/\\s+/));
          const leads = /^(href|src|srcset|action|formaction|data|poster|background|cite|ping|manifest)$/;
          const look = (element) => {
            if (!known.has(element.localName) || !element.namespaceURI.endsWith('/xhtml')) tell(`element: ${element.outerHTML}`);
            if (element.localName === 'script' && !element.src) tell(`script: ${element.outerHTML}`);
            if (/^(style|meta|base)$/.test(element.localName) && !element.closest('head')) tell(`element: ${element.outerHTML}`);
            for (const { name, value } of element.attributes) {
              if (/^on|^srcdoc$|^http-equiv$|:/.test(name)) tell(`attribute: ${name}=${value}`);
              if (leads.test(name) && !isOurs(value)) tell(`leads away: ${name}=${value}`);
              if (name === 'style' && /url|import|expression|binding/i.test(value)) tell(`style: ${value}`);
            }
          };
          new MutationObserver((records) => {
            for (const { type, target, addedNodes } of records) {
              if (type === 'attributes') look(target);
              for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) [node, ...node.querySelectorAll('*')].forEach(look);
            }
          }).observe(document, { subtree: true, childList: true, attributes: true });
        })();
        """

    /// What scripts of a walk through the page have at hand; `judge` throws what the watch noted.
    static let steps = """
        const all = (selector, root = document) => [...root.querySelectorAll(selector)];
        const one = (selector) => document.querySelector(selector);
        const until = async (what, isSo) => {
          for (const end = performance.now() + \(Patience.seconds(15) * 1_000); !isSo();) {
            if (performance.now() > end) throw new Error(`waited for ${what} at ${location.pathname}${location.search.slice(0, 80)}: ${document.body.innerText.slice(0, 400)}`);
            await new Promise((resolve) => setTimeout(resolve, 3));
          }
        };
        const go = (path) => {
          history.pushState(null, '', path);
          dispatchEvent(new PopStateEvent('popstate'));
        };
        if (!window.__asked) {
          window.__asked = { open: 0 };
          const real = window.fetch;
          const counted = (work) => {
            __asked.open += 1;
            return work.finally(() => { __asked.open -= 1; });
          };
          window.fetch = (...request) => counted(real(...request).then((answer) => {
            // The head has come; whoever reads the rest is waited for as well.
            for (const way of ['json', 'text', 'blob', 'arrayBuffer']) {
              answer[way] = () => counted(Response.prototype[way].call(answer));
            }
            return answer;
          }));
        }
        // Nothing is asked for, and what came has been drawn.
        const settled = async (what) => {
          for (let quiet = 0; quiet < 3;) {
            await new Promise((resolve) => setTimeout(resolve, 8));
            quiet = __asked.open ? 0 : quiet + 1;
          }
          await until(what, () => __asked.open === 0);
        };
        const press = (name, root = document) => all('button', root).find((button) => button.textContent.trim() === name)?.click();
        const judge = (where) => {
          const told = [...__told, ...Object.keys(Object.prototype)];
          if (told.length) throw new Error(`${where}: ${told.join('; ')}`);
        };
        const plain = (text) => text.replaceAll('\\0', '');
        const isRead = (selector, text) => plain(all(selector).map((element) => element.textContent).join('\\n')).includes(plain(text));
        """

    /// Puts the watch into every document that the browser opens from now on.
    static func install(in browser: Browser) async throws {
        try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": script])
    }
}
