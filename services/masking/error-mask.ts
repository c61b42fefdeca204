import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { maskJson } from "#domain/masking/mask-json.ts";
import type { MaskRules } from "#domain/masking/mask-rules.ts";
import { maskFreeText } from "#domain/masking/patterns.ts";
import type { Masker } from "./masker.ts";

type Failed = Pick<OutgoingMessage, "eventType" | "payload" | "payloadKind" | "headers">;

/** Removes from a failure's text the values that are masked in its message. */
export type ErrorMask = (message: Failed, text: string) => string;

const FRESH_MS = 10_000;
/** Most characters of a payload or of headers that are searched for masked values. */
const MOST_SEARCHED = 200_000;
const FAILED = "The text of this error is hidden: it could not be masked.";

/**
 * Masks errors before a relay records them, while the message that they may quote is at hand. Reads the rules now and,
 * in the background, again when they are older than 10 s. Throws what `read` throws; the mask never throws.
 */
export async function createErrorMask(read: () => Promise<Masker | null>): Promise<ErrorMask> {
  let masker = await read();
  let readMs = performance.now();
  const refresh = () => {
    readMs = performance.now();
    read().then(
      (now) => {
        masker = now;
      },
      // The rules that were read last stay.
      () => undefined,
    );
  };
  return (message, text) => {
    if (performance.now() - readMs > FRESH_MS) refresh();
    try {
      const rules = masker?.rules(message.eventType) ?? null;
      return rules === null ? text : maskFreeText(text, rules, valuesOf(message, rules)).text;
    } catch {
      // The outcome of a message must be recorded even if an expression fails on its text.
      return FAILED;
    }
  };
}

function valuesOf({ payload, payloadKind, headers }: Failed, rules: MaskRules): string[] {
  const text = payload !== null && payloadKind === "binary" ? Buffer.from(payload, "base64").toString("utf8") : payload;
  const all = rules.hidden === null ? rules : { ...rules, maskedByDefault: true, shown: [] };
  return [text, headers].flatMap((part) => {
    if (part === null) return [];
    const cut = part.length > MOST_SEARCHED;
    return maskJson(cut ? part.slice(0, MOST_SEARCHED) : part, all, { cut })?.values ?? [];
  });
}
