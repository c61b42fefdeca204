/** W3C trace context, version 00 and what later versions have in common with it. */
export interface TraceContext {
  /** 32 hex digits in lower case, not all zero. */
  traceId: string;
  /** 16 hex digits in lower case, not all zero. */
  spanId: string;
  /** Of eight flags; the lowest says that the trace is sampled. */
  flags: number;
}

const HEADER = /(?<![0-9a-f])([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?![0-9a-f])/;
const NAMED =
  /traceparent["'\\]*\s*(?:[:=]|,\s*["']?value["']?\s*:)\s*["'\\]*([0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2})(?![0-9a-f])/i;
const TRACE_ID = /^[0-9a-f]{32}$/;

/** Null for a text that is no `traceparent`, and for one that the specification calls invalid. */
export function parseTraceparent(text: string): TraceContext | null {
  const [whole, version, traceId = "", spanId = "", flags = ""] = HEADER.exec(text.trim().toLowerCase()) ?? [];
  if (whole === undefined || version === "ff" || isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

/**
 * The context that headers carry: as a member `traceparent`, as an entry with a name and a value, or in Java's
 * properties. Null without a valid one.
 */
export function traceContextIn(headers: string | null): TraceContext | null {
  const found = headers === null ? undefined : NAMED.exec(headers)?.[1];
  return found === undefined ? null : parseTraceparent(found);
}

/**
 * The trace id of what a column for traces may hold: a trace id, with hyphens or without, or a `traceparent`. Null for
 * anything else.
 */
export function traceIdOf(text: string): string | null {
  const plain = text.trim().toLowerCase();
  const bare = plain.replaceAll("-", "");
  if (TRACE_ID.test(bare)) return isZero(bare) ? null : bare;
  return parseTraceparent(plain)?.traceId ?? null;
}

export function isSampled({ flags }: TraceContext): boolean {
  return (flags & 1) === 1;
}

function isZero(hex: string): boolean {
  return /^0*$/.test(hex);
}
