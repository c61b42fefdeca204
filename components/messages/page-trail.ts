const STORAGE_KEY = "outbox-console.page-trail";
const KEPT = 200;

/**
 * Keyset paging only goes forward. The way back is stored per browser tab, as pairs of a page's cursor and the previous
 * one ("" is the first page).
 */
export function rememberStep(from: string | undefined, to: string): void {
  const trail = readTrail().filter(([cursor]) => cursor !== to);
  window.sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...trail, [to, from ?? ""]].slice(-KEPT)));
}

/** Cursor of the page before `cursor`; undefined is the first page, also when the way back is unknown. */
export function pageBefore(cursor: string): string | undefined {
  return readTrail().find(([known]) => known === cursor)?.[1] || undefined;
}

function readTrail(): [string, string][] {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isStep) : [];
  } catch {
    // Another script's text under our key: paging starts from the first page again.
    return [];
  }
}

function isStep(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}
