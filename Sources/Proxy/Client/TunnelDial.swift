import Traffic

/// The dial of a CONNECT, while its client waits for the answer.
struct TunnelDial {
    let dial: Dial
    let endpoint: Endpoint
    let head: RequestHead
    /// What is recorded when the client does not wait for it.
    let row: ConnectRow
}
