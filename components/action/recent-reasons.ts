import { readStored, writeStored } from "#components/ui/page/stored.ts";

const STORAGE_KEY = "outbox-console.reasons";
const KEPT = 4;

/** The last reasons given in this browser, newest first, since one incident often needs the same reason repeatedly. */
export function readRecentReasons(): string[] {
  try {
    const stored: unknown = JSON.parse(readStored(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((reason) => typeof reason === "string").slice(0, KEPT) : [];
  } catch {
    // Another script's text under our key.
    return [];
  }
}

export function rememberReason(reason: string): void {
  const reasons = [reason, ...readRecentReasons().filter((other) => other !== reason)].slice(0, KEPT);
  writeStored(STORAGE_KEY, JSON.stringify(reasons));
}
