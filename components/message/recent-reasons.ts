const STORAGE_KEY = "outbox-console.reasons";
const KEPT = 4;

/** The last reasons given in this browser, newest first: in an incident the same one is given many times. */
export function readRecentReasons(): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((reason) => typeof reason === "string").slice(0, KEPT) : [];
  } catch {
    // Unreadable or forbidden storage: the field simply offers nothing.
    return [];
  }
}

export function rememberReason(reason: string): void {
  const reasons = [reason, ...readRecentReasons().filter((other) => other !== reason)].slice(0, KEPT);
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(reasons));
  } catch {
    // A full or forbidden storage costs a suggestion, never the action.
  }
}
