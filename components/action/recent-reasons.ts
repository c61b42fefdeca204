const STORAGE_KEY = "outbox-console.reasons";
const KEPT = 4;

/** The last reasons given in this browser, newest first, since one incident often needs the same reason repeatedly. */
export function readRecentReasons(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((reason) => typeof reason === "string").slice(0, KEPT) : [];
  } catch {
    // Storage is unreadable or forbidden: the field offers no suggestions.
    return [];
  }
}

export function rememberReason(reason: string): void {
  const reasons = [reason, ...readRecentReasons().filter((other) => other !== reason)].slice(0, KEPT);
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(reasons));
  } catch {
    // Storage is full or forbidden: only the suggestion is lost, not the action.
  }
}
