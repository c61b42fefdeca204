import { brotliDecompressSync, constants, inflateSync, unzipSync, type ZlibOptions } from "node:zlib";

/** How the bytes of an answer's body are to be read. */
export interface BodyForm {
  contentType: string;
  contentEncoding: string;
}

/** Longest text that the start of a body may grow to when it is decompressed, in bytes. */
const MOST_TEXT_BYTES = 1024 * 1024;
/** The start of a body has no end. */
const OF_A_START: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_TEXT_BYTES };

const DECODERS: Record<string, (body: Buffer) => Buffer> = {
  gzip: (body) => unzipSync(body, OF_A_START),
  "x-gzip": (body) => unzipSync(body, OF_A_START),
  deflate: (body) => inflateSync(body, OF_A_START),
  br: (body) =>
    brotliDecompressSync(body, {
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
      maxOutputLength: MOST_TEXT_BYTES,
    }),
};

/** The first value of a header; the client gives a list where a header was sent more than once. */
export function firstOf(field: unknown): string | undefined {
  const [first]: unknown[] = Array.isArray(field) ? field : [field];
  return typeof first === "string" ? first : undefined;
}

/** The type of a body that browsers show as a page. */
export function isPageType(contentType: string): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

/** The start of a body as text; null if its coding is not known or its bytes are not of it. */
export function textOfBody(body: Buffer, { contentType, contentEncoding }: BodyForm): string | null {
  const bytes = decoded(body, contentEncoding.trim().toLowerCase());
  if (bytes === null) return null;
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
  return (decoderOf(charset) ?? new TextDecoder()).decode(bytes);
}

function decoded(body: Buffer, coding: string): Buffer | null {
  if (body.length === 0 || coding === "" || coding === "identity") return body;
  try {
    return DECODERS[coding]?.(body) ?? null;
  } catch {
    return null;
  }
}

function decoderOf(charset: string | undefined): TextDecoder | null {
  try {
    return charset === undefined ? null : new TextDecoder(charset);
  } catch {
    return null;
  }
}

/**
 * A document, as a login or a proxy shows it: no receiver of events confirms with one. The tags `html`, `head` and
 * `body` may be left out. A comment that has no end in what was read begins a page, too.
 */
export function isPage(text: string): boolean {
  const start = text.replace(/^(?:\uFEFF|\s|<!--[\s\S]*?-->|<\?[\s\S]*?>)+/, "");
  return /^<(?:!doctype html|html|head|body|title|meta|link|script|style)\b|^<!--/i.test(start);
}

export function titleOf(page: string): string {
  return /<title[^>]*>([^<]{1,200})/i.exec(page)?.[1] ?? page;
}
