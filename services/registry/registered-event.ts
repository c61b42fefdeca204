import type { RegisteredEvent } from "#contracts/outbox/registry.ts";
import type { StoredText } from "#db/stores/port/message-detail.ts";
import { describedEvent, sensitivePaths } from "./event-catalog.ts";
import { judgePayload } from "./judge-payload.ts";
import { readRegistry } from "./read-registry.ts";

interface Stored {
  eventType: string | null;
  payload: StoredText | null;
  headers: StoredText | null;
}

/** Header that the client package writes. */
const VERSION_HEADER = "event-version";

/** The entry for a message in an outbox's registry; null for an outbox without one. */
export async function registeredEvent(path: string | undefined, message: Stored): Promise<RegisteredEvent | null> {
  if (path === undefined) return null;
  const { eventType } = message;
  const registry = await readRegistry(path);
  if ("problem" in registry) return { kind: "unknown", reason: registry.problem };
  if (eventType === null) return { kind: "unknown", reason: "The message names no type." };
  const event = describedEvent(registry.catalog, eventType);
  if (!event) return { kind: "unknown", reason: `The registry has no type ${eventType}.` };
  return {
    kind: "known",
    description: event.description,
    version: event.version,
    writtenVersion: writtenVersion(message.headers),
    aggregate: event.aggregate,
    sensitive: [...sensitivePaths(registry.catalog, eventType)],
    verdict: judgePayload(message.payload, event),
  };
}

function writtenVersion(headers: StoredText | null): string | null {
  try {
    const parsed: unknown = JSON.parse(headers?.text ?? "null");
    const version: unknown = typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, VERSION_HEADER) : null;
    return typeof version === "string" || typeof version === "number" ? String(version) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
