import { z } from "zod";
import type { RegisteredEvent } from "#contracts/outbox/registry.ts";
import type { StoredText } from "#db/stores/port/message-detail.ts";
import type { EventDescription } from "./event-catalog.ts";

type Verdict = Extract<RegisteredEvent, { kind: "known" }>["verdict"];

const MOST_ISSUES = 10;
const notChecked = (reason: string): Verdict => ({ kind: "not_checked", reason });

/** Compares a stored payload with its type's schema, as far as both can be read without rounding or guessing. */
export function judgePayload(payload: StoredText | null, { schema }: EventDescription): Verdict {
  if (schema === null) return notChecked("The registry has no schema of this type.");
  if (payload === null) return notChecked("There is no payload.");
  if (payload.format !== "json") return notChecked("The payload is not stored as JSON.");
  if (payload.shownBytes < payload.totalBytes) return notChecked("The payload is too long to be checked here.");
  const value = parseExactly(payload.text);
  if ("reason" in value) return notChecked(value.reason);
  const validator = compiled(schema);
  if (validator === null) return notChecked("The schema uses something that is not checked here.");
  const { success, error } = validator.safeParse(value.json);
  if (success) return { kind: "fits" };
  const issues = error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return { kind: "unfit", issues: issues.slice(0, MOST_ISSUES), more: Math.max(0, issues.length - MOST_ISSUES) };
}

/** A whole number beyond 2^53 would be judged as another one. */
function parseExactly(text: string): { json: unknown } | { reason: string } {
  let isRounded = false;
  const look = (_: string, value: unknown): unknown => {
    isRounded ||= typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
    return value;
  };
  try {
    const json: unknown = JSON.parse(text, look);
    return isRounded ? { reason: "The payload has a number beyond 2^53, which the check would round." } : { json };
  } catch (error) {
    if (error instanceof SyntaxError) return { reason: "The payload is not JSON." };
    throw error;
  }
}

const validators = new WeakMap<object, z.ZodType | null>();

/** Null for a schema with what Zod refuses to read, such as conditions and references to other files. */
function compiled(schema: Record<string, unknown>): z.ZodType | null {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const made = compile(schema);
  validators.set(schema, made);
  return made;
}

function compile(schema: Record<string, unknown>): z.ZodType | null {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return null;
  }
}
