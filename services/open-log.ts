import { type Logger, pino } from "pino";
import { logDestination } from "./log-destination.ts";

/** A log of lines of JSON to standard output (1) or standard error (2), named after its program. */
export function openLog(name: string, fd: 1 | 2, level = process.env.LOG_LEVEL ?? "info"): Logger {
  return pino({ name, level, serializers: { err: serializeError } }, logDestination(fd));
}

/** An error as pino writes it, but with the messages of its causes joined like parts of one sentence. */
export function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { detail, where, ...written } = pino.stdSerializers.err(error);
  return { ...written, message: withCauses(error), ...(quotesRows(error) ? {} : { detail, where }) };
}

/** Postgres quotes the refused row or value, and with it a payload, beside an error of SQLSTATE class 22 or 23. */
function quotesRows(error: Error): boolean {
  return "code" in error && typeof error.code === "string" && /^2[23][0-9A-Z]{3}$/.test(error.code);
}

/** "The database does not answer: connect ECONNREFUSED", in place of pino's "answer.: connect". */
function withCauses(error: Error): string {
  const messages: string[] = [];
  const seen = new Set<unknown>();
  for (let one: unknown = error; one instanceof Error && !seen.has(one); one = one.cause) {
    seen.add(one);
    // A wrapper often repeats its cause.
    if (one.message !== "" && messages.at(-1) !== one.message) messages.push(one.message);
  }
  return messages.map((message, index) => (index < messages.length - 1 ? withoutEnd(message) : message)).join(": ");
}

function withoutEnd(message: string): string {
  return message.replace(/[.:\s]+$/, "");
}
