import { FormView, TableView } from "./body-table.js";
import { FontView, MediaView, PictureView } from "./body-media.js";
import { MarkupView } from "./body-markup.js";
import { MultipartView } from "./body-multipart.js";
import { PreviewView } from "./body-preview.js";
import { textView } from "./body-text.js";
import { HexView } from "./hex.js";
import { JSONTree } from "./json-tree.js";
import { TokenView, isToken } from "./body-token.js";

// The views that fit a body, the best first. Whatever its type says, a body is only drawn inert.

const sampleBytes = 64 << 10;
// Bytes of a text that is read whole to see whether it is JSON; for a longer text the type decides.
const provedBytes = 4 << 20;
// Bytes at most in a view that holds its whole text.
const heldBytes = 4 << 20;
const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp|apng|x-icon|vnd\.microsoft\.icon)$/;
const fonts = /^(font\/|application\/(x-)?font-|application\/vnd\.ms-opentype)/;

/**
 * The views of a body, each {name, make, searched}; its text as UTF-8, null where it is no text; and a remark on it.
 *
 * `drawPart` gets a part of a body that has parts, and the part's Content-Type or null. It returns {element, end()}.
 */
export async function viewsOf(blob, { type, contentType, drawPart }) {
  const views = [];
  const add = (name, make, searched = null) => views.push({ name, make, searched });
  const { text, sample, remark } = await readable(blob, contentType);
  const isShort = text !== null && text.size <= heldBytes;
  if (pictures.test(type)) add("Picture", () => new PictureView(blob, type));
  if (/^(audio|video)\//.test(type)) add("Player", () => new MediaView(blob, type));
  if (fonts.test(type)) add("Font", () => new FontView(blob));
  if (type.startsWith("multipart/")) add("Parts", () => new MultipartView(blob, contentType, { drawPart }));
  if (text) {
    if (await isJSON(text, sample, type)) add("Tree", () => new JSONTree(text), text);
    if (isShort) {
      if (type === "application/x-www-form-urlencoded") add("Form", () => new FormView(text));
      if (/^text\/(csv|tab-separated-values)$/.test(type)) add("Table", () => new TableView(text, type));
      if (isToken(sample)) add("Token", () => new TokenView(sample.trim()));
      if (/[/+](xml|html)\b/.test(type) || /^\s*<(\?xml|!doctype|html|svg)\b/i.test(sample)) add("Markup", () => new MarkupView(text));
    }
    add("Text", () => textView(text), text);
    if (isShort && (type === "text/html" || type === "application/xhtml+xml")) add("Preview", () => new PreviewView(text));
  }
  if (type === "image/svg+xml") add("Picture", () => new PictureView(blob, type));
  add("Hex", () => new HexView(blob), blob);
  return { views, text, remark };
}

/** A body's text as a UTF-8 blob, its first characters, and a remark on its conversion. */
async function readable(blob, contentType) {
  const none = { text: null, sample: "", remark: null };
  const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1] ?? "utf-8";
  let decoder;
  try {
    decoder = new TextDecoder(label);
  } catch {
    return { ...none, remark: `The charset ${label} is not known; the bytes are shown.` };
  }
  const sample = decoder.decode(await blob.slice(0, sampleBytes).arrayBuffer(), { stream: true });
  const start = sample.slice(0, 4_096);
  const odd = start.match(/\uFFFD/g)?.length ?? 0;
  if (/[\u0000-\u0008\u000e-\u001a]/.test(start) || odd > 8 + start.length / 4) return none;
  if (decoder.encoding === "utf-8") {
    return { text: blob, sample, remark: sample.includes("\uFFFD") ? "Some bytes are not UTF-8; they show as �." : null };
  }
  const stream = blob.stream().pipeThrough(new TextDecoderStream(decoder.encoding)).pipeThrough(new TextEncoderStream());
  return { text: await new Response(stream).blob(), sample, remark: null };
}

async function isJSON(text, sample, type) {
  const isNamed = /[/+]json\b/.test(type);
  if (!isNamed && !/^\s*[[{]/.test(sample)) return false;
  if (text.size > provedBytes) return /^\s*[[{]/.test(sample);
  try {
    JSON.parse((await text.text()).replace(/^\uFEFF/, ""));
    return true;
  } catch {
    return false;
  }
}
