/// What Node runs before a program so that its requests go through the proxy of the environment: `http`, `https` and `fetch`.
///
/// Node 24 does so by itself (`NODE_USE_ENV_PROXY`), its first releases for `fetch` alone, and the script leaves alone what does. Where nothing
/// reads a proxy variable, the script gives `http` and `https` agents that connect by CONNECT, and the dispatcher of `fetch` a connector that
/// does the same. Where a release keeps that dispatcher elsewhere, the script says on standard error that `fetch` is not captured.
enum NodePreload {
    static let script = #"""
        "use strict";
        // Written by inspect: sends what this Node program asks for through the proxy that the environment names.
        (() => {
          const major = Number(process.versions.node.split(".")[0]);
          const text = process.env.HTTPS_PROXY || process.env.https_proxy;
          const http = require("node:http");
          const isCapable = Boolean(http.globalAgent.options && http.globalAgent.options.proxyEnv);
          if (isCapable || !text) return;
          const https = require("node:https");
          const tls = require("node:tls");
          const proxy = new URL(text);
          const login = proxy.username
            ? { "Proxy-Authorization": "Basic " + Buffer.from(decodeURIComponent(proxy.username) + ":" + decodeURIComponent(proxy.password)).toString("base64") }
            : {};
          const plainAgent = new http.Agent();

          // Opens a tunnel to a host and port; calls back with the socket, TLS begun where it is wanted.
          const tunnel = (options, secure, callback) => {
            const host = options.hostname || options.host || "localhost";
            const name = host.replace(/^\[|\]$/g, "");
            const authority = (name.includes(":") ? `[${name}]` : name) + ":" + (options.port || (secure ? 443 : 80));
            const request = http.request({
              host: proxy.hostname.replace(/^\[|\]$/g, ""), port: proxy.port || 80, method: "CONNECT", path: authority,
              headers: { Host: authority, ...login }, agent: plainAgent, setHost: false,
            });
            request.once("connect", (response, socket, head) => {
              if (response.statusCode !== 200) {
                socket.destroy();
                callback(new Error(`the proxy answered ${response.statusCode} to CONNECT ${authority}`));
                return;
              }
              if (head.length) socket.unshift(head);
              if (!secure) {
                callback(null, socket);
                return;
              }
              const servername = options.servername || (require("node:net").isIP(name) ? "" : name);
              const secured = tls.connect({ ...options, socket, host: name, path: undefined, servername });
              secured.once("error", callback);
              secured.once("secureConnect", () => {
                secured.removeListener("error", callback);
                callback(null, secured);
              });
            });
            request.once("error", callback);
            request.end();
          };

          const through = (Agent, secure) => class extends Agent {
            createConnection(options, callback) { tunnel(options, secure, callback); }
          };
          http.globalAgent = new (through(http.Agent, false))({ keepAlive: true });
          https.globalAgent = new (through(https.Agent, true))({ keepAlive: true });

          if (major >= 24 || typeof fetch !== "function") return;
          // The dispatcher exists once fetch was first looked at; its class takes a connector.
          const key = Symbol.for("undici.globalDispatcher.1");
          try {
            void fetch("data:,").catch(() => {});
            const Dispatcher = globalThis[key].constructor;
            const connect = ({ hostname, port, protocol, servername }, callback) => {
              const secure = protocol === "https:";
              tunnel({ host: hostname, port, servername, ALPNProtocols: secure ? ["http/1.1"] : undefined }, secure, callback);
            };
            globalThis[key] = new Dispatcher({ connect });
          } catch {
            const original = fetch;
            let hasSaid = false;
            globalThis.fetch = (...all) => {
              if (!hasSaid) process.stderr.write(`inspect: fetch of Node ${process.versions.node} does not go through the proxy; Node 24 does\n`);
              hasSaid = true;
              return original(...all);
            };
          }
        })();

        """#
}
