import NIOSSL
import NIOHTTP2
import NIOExtras
