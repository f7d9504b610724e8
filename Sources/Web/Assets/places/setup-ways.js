// How each kind of client is sent through the proxy and made to trust its root: the words and commands, with this proxy's own address in them.

import { shellWord } from "./format.js";

const powerShell = (text) => `'${text.replaceAll("'", "''")}'`;

/** Where the proxy is reached: from this machine, and from others. */
export function whereabouts(instance) {
  const way = (instance.ways ?? []).find(({ mode }) => mode === "explicit") ?? parsed(instance.proxy);
  const isAny = ["0.0.0.0", "::"].includes(way.host);
  const isLoopback = /^(127\.|::1$|localhost$)/.test(way.host);
  const name = (host) => `${host.includes(":") ? `[${host}]` : host}:${way.port}`;
  const far = isLoopback ? [] : isAny ? instance.addresses ?? [] : [way.host];
  return {
    near: name(isAny ? "127.0.0.1" : way.host), host: isAny ? "127.0.0.1" : way.host, port: way.port,
    far: far.map(name), addresses: instance.addresses ?? [], isOpen: !isLoopback, asksLogin: Boolean(instance.asksLogin),
    caFile: instance.caFile, caBundleFile: instance.caBundleFile, caSystemFile: instance.caSystemFile,
    clients: instance.clients ?? [],
  };
}

function parsed(proxy) {
  const cut = proxy.lastIndexOf(":");
  return { host: proxy.slice(0, cut).replace(/^\[|\]$/g, ""), port: Number(proxy.slice(cut + 1)) };
}

/**
 * The variables of all clients, or of one, each once, as lists of NAME=VALUE: those that hold the same side by side; what no value is given for is
 * left out.
 */
function settings(at, values, client = null) {
  const ofClients = at.clients.filter(({ name }) => !client || name === client).flatMap(({ variables }) => variables)
    .filter(({ holds }) => holds in values);
  const once = [...new Map(ofClients.map((variable) => [variable.name, variable])).values()];
  const word = ({ name, holds, text }) => `${name}=${text ?? values[holds]}`;
  return [...new Set(once.map(({ holds }) => holds))].map((kind) => once.filter(({ holds }) => holds === kind).map(word));
}

/** What inspect itself does on this machine, each by one line: {title, line}; nothing where the proxy has no way in for it. */
export function commands(instance) {
  const ways = instance.ways ?? [];
  if (ways.length && !ways.some(({ mode }) => mode === "explicit")) return [];
  const store = instance.store ? ` --store ${shellWord(instance.store)}` : "";
  return [
    { title: "One command", line: `inspect run${store} -- curl https://example.com/` },
    { title: "A browser", line: `inspect browser${store}` },
    { title: "This shell", line: `eval "$(inspect env${store})"` },
  ];
}

/** The system of a browser: "phone", "macOS", "Windows" or "Linux", by what it says of itself. */
export function visitorSystem({ userAgent = "", maxTouchPoints = 0 }) {
  if (/Android|iPhone|iPad|iPod/.test(userAgent)) return "phone";
  // An iPad says that it is a Mac; no Mac has a touch screen.
  if (/Macintosh/.test(userAgent)) return maxTouchPoints > 1 ? "phone" : "macOS";
  return /Windows/.test(userAgent) ? "Windows" : "Linux";
}

/**
 * The kinds of clients, each with its steps: {title, note, lines}, those of the visitor's system before others; and the name of the kind to begin
 * with.
 */
export function ways(at, system) {
  const proxy = `http://${at.near}`;
  const ca = shellWord(at.caFile);
  const files = { root: ca, bundle: shellWord(at.caBundleFile) };
  const values = { proxy, text: "", ...files };
  const told = (client) => `export ${settings(at, values, client).flat().join(" ")}`;
  const kinds = [
    { name: "machine", title: "This machine", steps: foremost(machine(at, values), system) },
    { name: "browser", title: "A browser", steps: browser(at, proxy, ca) },
    { name: "phone", title: "A phone", steps: phone(at) },
    { name: "curl", title: "curl", steps: curl(proxy, files.bundle, told) },
    { name: "python", title: "Python", steps: python(proxy, at.caBundleFile, told) },
    { name: "node", title: "Node", steps: node(proxy, told, settings(at, files, "node").flat().join(" ")) },
    { name: "docker", title: "A container", steps: docker(at) },
  ];
  return [kinds, system === "phone" ? "phone" : "machine"];
}

/** Steps with those of one system first, then those of every system. */
const foremost = (steps, system) => {
  const place = (step) => step.system === system ? 0 : step.system ? 2 : 1;
  return steps.toSorted((one, other) => place(one) - place(other));
};

const machine = (at, values) => [
  {
    title: "Everything this shell starts",
    note: "Works in bash and zsh, until the shell is closed.",
    lines: settings(at, values).map((words) => `export ${words.join(" ")}`),
  },
  {
    system: "macOS",
    title: "macOS: every app",
    note: "Name your network where it is not Wi-Fi; “off” in place of host and port turns the proxy off.",
    lines: [
      `networksetup -setwebproxy Wi-Fi ${at.host} ${at.port}`,
      `networksetup -setsecurewebproxy Wi-Fi ${at.host} ${at.port}`,
      `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${values.root}`,
      "# afterwards",
      "networksetup -setwebproxystate Wi-Fi off; networksetup -setsecurewebproxystate Wi-Fi off",
    ],
  },
  {
    system: "Linux",
    title: "Linux with GNOME: every app that follows the system",
    lines: [
      ...["http", "https"].map((kind) => `gsettings set org.gnome.system.proxy.${kind} host ${at.host}`
        + ` && gsettings set org.gnome.system.proxy.${kind} port ${at.port}`),
      "gsettings set org.gnome.system.proxy mode manual",
      `sudo install -m 644 ${values.root} /usr/local/share/ca-certificates/${at.caSystemFile} && sudo update-ca-certificates`,
      "# afterwards",
      "gsettings set org.gnome.system.proxy mode none",
    ],
  },
  {
    system: "Windows",
    title: "Windows: every app of this user",
    note: "In PowerShell; the proxy itself is switched off again in Settings, Network & internet, Proxy.",
    lines: [
      `$settings = 'HKCU:\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings'`,
      `Set-ItemProperty $settings ProxyServer '${at.near}'; Set-ItemProperty $settings ProxyEnable 1`,
      `certutil -user -addstore Root ${powerShell(at.caFile)}`,
    ],
  },
];

const browser = (at, proxy, ca) => [
  {
    title: "Chrome or Chromium, in a profile of its own",
    note: "Nothing of your usual profile changes. The last option sends requests to this machine itself through the proxy too.",
    lines: [`google-chrome --user-data-dir="$(mktemp -d)" --proxy-server=${proxy} --proxy-bypass-list='<-loopback>'`],
  },
  {
    title: "Let Chrome on Linux trust the root",
    note: "Needs certutil (apt install libnss3-tools). On macOS and Windows, Chrome trusts what the system trusts.",
    lines: [`mkdir -p ~/.pki/nssdb && certutil -A -d sql:"$HOME/.pki/nssdb" -n inspect -t C,, -i ${ca}`],
  },
  {
    title: "Firefox",
    note: `Settings, General, Network Settings: “Manual proxy configuration”, HTTP proxy ${at.host}, port ${at.port}, `
      + "and tick “Also use this proxy for HTTPS”. "
      + "Then Settings, Privacy & Security, View Certificates, Authorities, Import: take the certificate below and tick “identify websites”.",
  },
  {
    title: "Safari",
    note: "Safari follows the settings of the system: see “This machine”.",
  },
];

function phone(at) {
  const network = at.addresses[0]?.match(/^(\d+\.\d+\.\d+)\.\d+$/)?.[1];
  const starts = [
    `inspect start --listen 0.0.0.0 --port ${at.port} --proxy-auth me:secret`,
    `inspect start --listen 0.0.0.0 --port ${at.port} --allow-client ${network ?? "192.168.1"}.0/24`,
  ];
  if (!at.isOpen) {
    return [
      {
        title: "First let the proxy listen beyond this machine",
        note: `Now it listens on ${at.near} alone, which a phone cannot reach. Start it again, in one of these ways: it asks for a login, or lets in `
          + "only your network, because whoever reaches this port can use the proxy and is recorded.",
        lines: starts,
      },
      {
        title: "Then on the phone",
        note: `This page then names the address to open there${at.addresses.length ? `: most likely http://${at.addresses[0]}:${at.port}/` : ""}.`,
      },
    ];
  }
  return [
    {
      title: "Open this address on the phone",
      note: "The phone is in the same network. The page there has the certificate, the steps for iPhone and Android, and a check that says when "
        + `decryption works.${at.far.length > 1 ? " One of these is in its network:" : ""}`,
      lines: at.far.length ? at.far.map((place) => `http://${place}/`) : [`http://this machine's address:${at.port}/`],
    },
    {
      title: "The proxy's address",
      note: `For the phone's Wi-Fi settings, as a manual proxy${at.asksLogin ? ", with the user and password of --proxy-auth" : ""}.`,
      lines: at.far.length ? at.far : ["this machine's address"],
    },
    {
      title: "With the proxy set",
      note: "The same page is http://inspect.proxy/ then, and https://inspect.proxy/check says in one line whether decryption works.",
    },
  ];
}

const curl = (proxy, bundle, told) => [
  { title: "One request", lines: [`curl --proxy ${proxy} --cacert ${bundle} https://example.com/`] },
  { title: "Every request of this shell", lines: [told("curl"), "curl https://example.com/"] },
];

const python = (proxy, file, told) => [
  {
    title: "requests, httpx, urllib: without changing the program",
    lines: [told("python"), "python3 program.py"],
  },
  {
    title: "requests, in the program",
    lines: [
      "import requests",
      `proxies = {"http": "${proxy}", "https": "${proxy}"}`,
      `print(requests.get("https://example.com/", proxies=proxies, verify=${JSON.stringify(file)}))`,
    ],
  },
];

const node = (proxy, told, trusting) => [
  {
    title: "Node 24 and later: without changing the program",
    note: "Node reads the variables once, when it starts.",
    lines: [told("node"), "node program.js"],
  },
  {
    title: "Earlier: fetch with undici",
    lines: [
      `// ${trusting} node program.mjs`,
      'import { ProxyAgent, setGlobalDispatcher } from "undici";',
      `setGlobalDispatcher(new ProxyAgent("${proxy}"));`,
    ],
  },
];

function docker(at) {
  const host = at.isOpen ? `host.docker.internal:${at.port}` : at.near;
  const network = at.isOpen ? "--add-host=host.docker.internal:host-gateway" : "--network=host";
  const files = [["root", at.caFile], ["bundle", at.caBundleFile]].map(([holds, path]) => ({ holds, path, inside: `/inspect-${holds}.pem` }));
  const values = { proxy: `http://${host}`, text: "", ...Object.fromEntries(files.map(({ holds, inside }) => [holds, inside])) };
  return [
    {
      title: "A container on this machine",
      note: at.isOpen ? null : "The proxy listens on this machine alone, so the container shares its network. "
        + "Start the proxy with --listen 0.0.0.0 --allow-client 172.16.0.0/12 for one that has a network of its own.",
      lines: [
        `docker run --rm ${network} \\`,
        ...files.map(({ path, inside }) => `  -v ${shellWord(path)}:${inside}:ro \\`),
        ...settings(at, values).map((words) => `  ${words.map((word) => `-e ${word}`).join(" ")} \\`),
        "  curlimages/curl https://example.com/",
      ],
    },
  ];
}
