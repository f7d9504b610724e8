import Traffic

/// What `inspect start --open` says where a proxy runs already: where that is, and how to send traffic through it.
///
/// It is no `Report`, for the reason that `StartGuide` is none.
struct OpenedProxy {
    let running: InstanceFile
    let opening: PageOpening
    /// The options that have a command find the proxy and its root.
    let places: String

    /// The lines, ended.
    var text: String {
        var lines = ["A proxy runs already (process \(running.pid)), with the options of its own start.", ""]
        lines += running.listeners.map {
            $0.mode == "explicit" ? "proxy   http://\($0.address)" : "\($0.mode) \($0.address)"
        }
        lines += ["page    \(running.page)/?token=\(running.token)", "store   \(running.storePath)", ""]
        lines += [opening.sentence, ""]
        if running.listeners.contains(where: { $0.mode == "explicit" }) {
            lines += ["Next:"] + NextSteps(places: places).lines + [""]
        }
        lines += [running.isLent == true ? "It ends with the command that began it." : "'inspect stop' stops it.", ""]
        return lines.map(VisibleText.line).joined(separator: "\n")
    }
}
