import { AppError } from "#domain/errors.ts";
import type { Routed } from "../../routing/router.ts";

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;

/** Names that no message may set: they belong to the connection, to the receiver's authentication, or to this sink. */
const RESERVED =
  /^(?:host|connection|keep-alive|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|authorization|cookie|proxy-.*|webhook-.*|event-id)$/;

const PLAIN_VALUE = /^[\x20-\x24\x26-\x7e]*$/;
const PLAIN_ATTRIBUTE = /^[\x21\x23\x24\x26-\x7e]*$/;

/** Set by the connection itself: no request could be made with one of these configured. */
const OF_CONNECTION = /^(?:connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect)$/;

/** Limit of remembered names, since rows may contain any number of them. */
const MOST_NAMES = 1000;

/**
 * Encodes a value that any HTTP stack accepts: the percent sign and everything outside printable ASCII are
 * percent-encoded as UTF-8, as in the CloudEvents HTTP binding. `decodeURIComponent` reverses it.
 */
export function headerValue(value: string): string {
  if (PLAIN_VALUE.test(value)) return value;
  return value.toWellFormed().replace(/[^\x20-\x24\x26-\x7e]+/g, (part) => encodeURIComponent(part));
}

/** A CloudEvents attribute: the binding also requires spaces and quotes to be encoded. */
function attributeValue(value: string): string {
  if (PLAIN_ATTRIBUTE.test(value)) return value;
  return value.toWellFormed().replace(/[^\x21\x23\x24\x26-\x7e]+/g, (part) => encodeURIComponent(part));
}

/** Configured headers, encoded. Illegal ones are refused here; at the first event the event would be blamed. */
export function configuredHeaders(headers: Record<string, string>): [name: string, value: string][] {
  return Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    if (!TOKEN.test(name)) {
      throw new AppError("invalid_input", `The http sink cannot send a header named ${JSON.stringify(name)}.`);
    }
    if (OF_CONNECTION.test(lower)) {
      throw new AppError(
        "invalid_input",
        `The header ${lower} of an http sink belongs to the connection: leave it out.`,
      );
    }
    return [lower, headerValue(value)];
  });
}

interface HeaderInput {
  /** The encoded value. */
  webhookId: string;
  contentType: string;
  /** Encoded names and values, alternating. */
  signature: readonly string[];
  headers: Routed["headers"];
}

/** Names and values alternating, as undici takes them. */
export type HeaderBuilder = (input: HeaderInput) => string[];

/** Configured headers (encoded, names in lower case) come first and win; among the rest the first of a name wins. */
export function createHeaderBuilder(configured: readonly (readonly [name: string, value: string])[]): HeaderBuilder {
  const own = configured.flat();
  const taken = new Set(configured.map(([name]) => name));
  const [hasType, hasId] = [taken.has("content-type"), taken.has("webhook-id")];
  /** Sendable name by original name: in lower case, or empty when it must not be sent. */
  const names = new Map<string, string>();

  const learn = (name: string): string => {
    const lower = name.toLowerCase();
    const usable = TOKEN.test(name) && !RESERVED.test(lower) && !taken.has(lower) ? lower : "";
    if (names.size >= MOST_NAMES) names.clear();
    names.set(name, usable);
    return usable;
  };

  return ({ webhookId, contentType, signature, headers }) => {
    const all = own.slice();
    if (!hasType) all.push("content-type", contentType);
    if (!hasId) all.push("webhook-id", webhookId);
    for (const part of signature) all.push(part);
    const sent: string[] = [];
    for (const [name, value] of headers) {
      const lower = names.get(name) ?? learn(name);
      if (lower === "" || sent.includes(lower)) continue;
      sent.push(lower);
      all.push(name, lower.startsWith("ce-") ? attributeValue(value) : headerValue(value));
    }
    return all;
  };
}
