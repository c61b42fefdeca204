import { readStored, writeStored } from "#components/ui/page/stored.ts";

const STORAGE_KEY = "outbox-console.page-trail";
const KEPT = 200;

/** A page: its cursor, and the place of its first row in the list, counted from 1; the first page has neither. */
export interface PagePlace {
  cursor: string | undefined;
  at: number | undefined;
}

/**
 * Keyset paging only goes forward. The way back is stored per browser tab, as a page's cursor and the page before it
 * ("" is the first page).
 */
export function rememberStep(from: PagePlace, to: string): void {
  const trail = readTrail().filter(([cursor]) => cursor !== to);
  const step: Step = [to, from.cursor ?? "", from.at ?? null];
  writeStored(STORAGE_KEY, JSON.stringify([...trail, step].slice(-KEPT)), "sessionStorage");
}

/** The page before the one at `cursor`; undefined where this browser tab did not come that way. */
export function pageBefore(cursor: string): PagePlace | undefined {
  const step = readTrail().find(([known]) => known === cursor);
  if (step === undefined) return undefined;
  const [, before, at] = step;
  return before === "" ? { cursor: undefined, at: undefined } : { cursor: before, at: at ?? undefined };
}

type Step = [cursor: string, before: string, atOfBefore: number | null];

function readTrail(): Step[] {
  try {
    const stored: unknown = JSON.parse(readStored(STORAGE_KEY, "sessionStorage") ?? "[]");
    return Array.isArray(stored) ? stored.filter(isStep) : [];
  } catch {
    // Another script's text under our key: paging starts from the first page again.
    return [];
  }
}

function isStep(value: unknown): value is Step {
  if (!Array.isArray(value) || value.length !== 3) return false;
  const [cursor, before, at] = value;
  return typeof cursor === "string" && typeof before === "string" && (at === null || typeof at === "number");
}
