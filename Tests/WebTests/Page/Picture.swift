import Foundation
import Testing

/// A picture of a browser's window, as the browser itself reads it.
struct Picture {
    let png: Data
    let width: Int
    let height: Int
    /// How many different colours its pixels have.
    let colours: Int

    /// Pictures the window.
    ///
    /// - Throws: what the browser throws; when the picture cannot be decoded.
    init(of browser: Browser) async throws {
        png = try await browser.screenshot()
        let said = try await browser.run(
            """
            const bytes = Uint8Array.from(atob('\(png.base64EncodedString())'), (one) => one.charCodeAt(0));
            return createImageBitmap(new Blob([bytes], { type: 'image/png' })).then((map) => {
              const canvas = new OffscreenCanvas(map.width, map.height).getContext('2d');
              canvas.drawImage(map, 0, 0);
              const pixels = new Uint32Array(canvas.getImageData(0, 0, map.width, map.height).data.buffer);
              return [map.width, map.height, new Set(pixels).size];
            });
            """
        )
        let measures = try #require(said as? [Int])
        (width, height, colours) = (measures[0], measures[1], measures[2])
    }

    /// Expects a picture of something, as large as the screen, and leaves it in .build/screenshots.
    func keep(_ name: String, sized screen: Browser.Screen) throws {
        #expect(width == screen.width && height == screen.height, "\(name): \(width) by \(height)")
        // A window without anything has one colour or two; letters alone, with smooth edges, have dozens.
        #expect(colours > 30, "\(name): \(colours) colours")
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../.build/screenshots")
            .standardized
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try png.write(to: folder.appending(path: "\(name).png"))
    }
}
