/// How the device page looks, and the picture that says that all is well.
enum DeviceStyle {
    /// The style sheet: one column that a phone can read, light or dark as the device is.
    static let text = """
        :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
        body { margin: 0; }
        main { max-width: 42rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.5rem; }
        h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem; }
        code { font: .9em/1.4 ui-monospace, monospace; }
        .check { min-height: 44px; font-weight: 600; }
        .check img { max-width: 100%; }
        .files li, summary { padding: .5rem 0; }
        summary { font-weight: 600; cursor: pointer; }
        ol { margin-top: 0; }
        li { margin-bottom: .4rem; }

        """

    /// The picture of the check.
    static let check = """
        <svg xmlns="http://www.w3.org/2000/svg" width="260" height="44" viewBox="0 0 260 44" role="img" aria-label="Decryption works">
        <rect width="260" height="44" rx="8" fill="#176b3a"/>
        <path d="M16 22l7 8 13-17" fill="none" stroke="#fff" stroke-width="4"/>
        <text x="50" y="29" font-family="system-ui, sans-serif" font-size="19" font-weight="600" fill="#fff">Decryption works</text>
        </svg>

        """
}
