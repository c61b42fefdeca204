import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/** The row's own headers: texts, and numbers and booleans as written. Other values are ignored. */
export type OwnHeaders = Readonly<Record<string, string>>;

const NONE: OwnHeaders = Object.freeze({});
const NUMBER_AS_VALUE = /:\s*-?\d/;

/** A message being routed. Its headers are parsed at most once, when first needed. */
export class RoutedRow {
  readonly message: OutgoingMessage;
  #own: OwnHeaders | undefined;

  constructor(message: OutgoingMessage) {
    this.message = message;
  }

  get own(): OwnHeaders {
    this.#own ??= parseOwnHeaders(this.message.headers);
    return this.#own;
  }
}

function parseOwnHeaders(text: string | null): OwnHeaders {
  if (text === null || !/^\s*\{/.test(text)) return NONE;
  const value = parse(text);
  const own: [string, string][] = [];
  for (const [name, entry] of Object.entries(value)) {
    if (typeof entry === "string") own.push([name, entry]);
    else if (typeof entry === "number" || typeof entry === "boolean") own.push([name, String(entry)]);
  }
  return Object.fromEntries(own);
}

/** Numbers keep their digits: 9007199254740993 and 1.10 stay as stored. */
function parse(text: string): Record<string, unknown> {
  const asWritten = (_: string, value: unknown, context?: { source?: string }) =>
    typeof value === "number" ? (context?.source ?? value) : value;
  try {
    return JSON.parse(text, NUMBER_AS_VALUE.test(text) ? asWritten : undefined);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
