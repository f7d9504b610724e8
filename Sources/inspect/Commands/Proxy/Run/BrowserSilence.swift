/// What has a browser ask for nothing by itself, so that the record holds what its user asks for.
enum BrowserSilence {
    /// An address that Chromium connects to at no time, because of its port.
    private static let nowhere = "http://127.0.0.1:1/"

    /// Chromium's switches: no updates, no sign-in, no hints, no time of a server.
    static let chromium = [
        "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync",
        "--disable-features=OptimizationHints,NetworkTimeServiceQuerying,AutofillServerCommunication,MediaRouter,Translate",
        "--component-updater=url-source=\(nowhere)", "--gaia-url=\(nowhere)",
    ]

    /// Firefox's preferences with their values as its file has them.
    static let firefox: [(String, String)] =
        [
            ("browser.region.network.url", #""""#), ("services.settings.server", #""data:,""#),
            ("browser.newtabpage.activity-stream.unifiedAds.endpoint", #""""#), ("toolkit.telemetry.server", #""""#),
        ]
        + [
            "app.normandy.enabled", "app.update.enabled", "browser.aboutwelcome.enabled", "browser.newtabpage.enabled",
            "browser.region.update.enabled", "browser.safebrowsing.malware.enabled",
            "browser.safebrowsing.phishing.enabled", "browser.search.update", "browser.topsites.contile.enabled",
            "browser.newtabpage.activity-stream.feeds.section.topstories",
            "browser.newtabpage.activity-stream.feeds.topsites", "datareporting.healthreport.uploadEnabled",
            "datareporting.policy.dataSubmissionEnabled", "datareporting.usage.uploadEnabled",
            "dom.push.connection.enabled", "extensions.getAddons.cache.enabled",
            "extensions.systemAddon.update.enabled", "extensions.update.enabled", "media.gmp-manager.updateEnabled",
            "network.captive-portal-service.enabled", "network.connectivity-service.enabled",
            "toolkit.telemetry.enabled", "toolkit.telemetry.unified",
        ].map { ($0, "false") }

    /// Firefox's variables: without this one a release takes the address of its settings from nobody.
    static let firefoxVariables = ["MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"]
}
