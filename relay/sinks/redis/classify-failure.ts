import type { Failure, FailureCode, FailureKind } from "#domain/failure.ts";
import { tlsErrorWords } from "../tls-error-words.ts";
import { ReplyError } from "./reply-reader.ts";

/** First words of Redis' errors. Those about the server's own state pass with time or need an operator. */
const WORDS: Record<string, [FailureCode, FailureKind]> = {
  WRONGTYPE: ["unavailable", "route"],
  OOM: ["unavailable", "environment"],
  READONLY: ["unavailable", "environment"],
  LOADING: ["unavailable", "environment"],
  MASTERDOWN: ["unavailable", "environment"],
  CLUSTERDOWN: ["unavailable", "environment"],
  MISCONF: ["unavailable", "environment"],
  NOREPLICAS: ["unavailable", "environment"],
  BUSY: ["unavailable", "environment"],
  TRYAGAIN: ["unavailable", "environment"],
  MOVED: ["unavailable", "environment"],
  ASK: ["unavailable", "environment"],
  CROSSSLOT: ["unavailable", "environment"],
  NOAUTH: ["auth", "environment"],
  WRONGPASS: ["auth", "environment"],
  NOPERM: ["auth", "environment"],
};
/** In a script's error the code follows the script's name; older versions put a minus before it. */
const WORD = new RegExp(`(?:^|[\\s-])(${Object.keys(WORDS).join("|")})\\b`);

const ERR_TEXTS: [RegExp, FailureCode, FailureKind][] = [
  [/too large/i, "too_large", "message"],
  [/exhausted the last possible ID/i, "unavailable", "route"],
  [/max number of clients|unknown command/i, "unavailable", "environment"],
  [/\bAUTH\b|invalid password|unauthenticated/i, "auth", "environment"],
];

/** A right for some keys only, in the words of Redis 6, 7 and later; NOPERM also refuses commands. */
const KEY_REFUSED = /NOPERM.*\bkeys?\b/;

/** Failure for Redis' error reply. `stream`: where to; errors about a key do not name it. */
export function failureOfReply(text: string, stream?: string): Failure {
  // Redis repeats the arguments of an unknown command, one of which may be a password.
  const message = text.split(/[,;]? with args beginning with/, 1)[0]?.slice(0, 500) ?? text;
  const word = WORD.exec(text)?.[1];
  const known = word === undefined ? undefined : WORDS[word];
  if (known) return ofStream({ code: known[0], kind: KEY_REFUSED.test(text) ? "route" : known[1], message }, stream);
  const [, code, kind] = ERR_TEXTS.find(([pattern]) => pattern.test(text)) ?? ([null, "unknown", "ambiguous"] as const);
  return ofStream({ code, kind, message }, stream);
}

function ofStream(failure: Failure, stream: string | undefined): Failure {
  if (failure.kind !== "route" || stream === undefined) return failure;
  return { ...failure, message: `The stream ${stream}: ${failure.message}` };
}

/** Failure to connect: nothing was sent. */
export function failureOfConnection(error: unknown): Failure {
  if (error instanceof ReplyError) {
    const failure = failureOfReply(error.message);
    return failure.kind === "environment" ? failure : { ...failure, code: "unavailable", kind: "environment" };
  }
  return { code: "unreachable", kind: "environment", message: describeError(error) };
}

/** The connection was lost before anything was written to it. */
export class NotSentError extends Error {
  override readonly name = "NotSentError";
}

/** We gave up waiting for an answer, and so ended the connection. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  constructor(timeoutMs: number) {
    super(`Redis did not answer within ${timeoutMs} ms.`);
  }
}

/** A sent message may have arrived, however the connection ended. */
export function failureOfCommand(error: unknown): Failure {
  if (error instanceof ReplyError) return failureOfReply(error.message);
  if (error instanceof NoAnswerError) return { code: "timeout", kind: "ambiguous", message: error.message };
  if (error instanceof NotSentError) {
    return { code: "unreachable", kind: "environment", message: "The connection to Redis was lost." };
  }
  const message = `The connection to Redis was lost before it answered (${describeError(error)}).`;
  return { code: "unreachable", kind: "ambiguous", message };
}

/** Node's message for a failed connection contains the address, never a password. */
function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  if (!(error instanceof Error) || error.message === "") return "the connection failed";
  const ofTls = tlsErrorWords(error);
  if (ofTls !== null) return ofTls;
  return error.message.split("\n", 1)[0] ?? error.message;
}
