import { headers, type MsgHdrs } from "@nats-io/transport-node";
import type { Failure } from "#domain/failure.ts";
import type { Routed } from "../../routing/router.ts";

/** A protocol line has at most 4096 bytes, and must also hold the reply subject and two lengths. */
const SUBJECT_BYTES = 3072;

/** By it a stream drops repeats within its window. */
export const MESSAGE_ID = "Nats-Msg-Id";

/** Headers by which a publisher controls the stream: expectations, roll-ups that delete, tracing. */
const RESERVED = /^nats-/i;
const BAD_IN_NAME = /[^\x21-\x39\x3b-\x7e]/gu;
const BAD_IN_VALUE = /[\r\n]/g;

export interface Prepared {
  subject: string;
  headers: MsgHdrs;
  body: string | Uint8Array;
}

/** The encoded message, or why its subject is invalid. */
export function prepare(id: string, routed: Routed): Prepared | Failure {
  const fault = faultOfSubject(routed.topic);
  if (fault !== null) return { code: "unroutable", kind: "message", message: fault };
  const all = headers();
  all.set(MESSAGE_ID, clean(id));
  if (!routed.headers.some(([name]) => name.toLowerCase() === "content-type")) {
    all.set("Content-Type", clean(routed.contentType));
  }
  for (const [name, value] of routed.headers) {
    if (name !== "" && !RESERVED.test(name)) all.append(cleanName(name), clean(value));
  }
  return { subject: routed.topic, headers: all, body: routed.body ?? "" };
}

/** Text of a table may hold half a surrogate pair, which has no encoding. */
function cleanName(name: string): string {
  return name.toWellFormed().replace(BAD_IN_NAME, encodeURIComponent);
}

/** A line break would end the header; other text is sent as UTF-8. */
function clean(value: string): string {
  return value.replace(BAD_IN_VALUE, encodeURIComponent);
}

/**
 * Null for a subject that can be published on. Subjects come from data, so they must not reach the server's own
 * subjects.
 */
export function faultOfSubject(subject: string): string | null {
  const quoted = `The subject "${subject.slice(0, 200)}"`;
  if (subject === "") return "The subject is empty.";
  if (/[\s\0]/.test(subject)) return `${quoted} has white space.`;
  if (subject.startsWith("$") || subject.startsWith("_INBOX.")) return `${quoted} is one of the server's own.`;
  if (Buffer.byteLength(subject) > SUBJECT_BYTES) return `${quoted}... is longer than ${SUBJECT_BYTES} bytes.`;
  const tokens = subject.split(".");
  if (tokens.includes("")) return `${quoted} has an empty part.`;
  return tokens.some((token) => token === "*" || token === ">") ? `${quoted} has wildcards.` : null;
}
