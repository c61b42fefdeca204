import type { AuditPlace, AuditRow } from "#db/stores/port/audit.ts";
import type { Places } from "../places-cursor.ts";

/** Entries read from one audit, newest first. `whole`: no entry follows. */
export interface AuditRead {
  name: string;
  /** Prefix that keeps the ids of its entries apart from those of other audits. */
  prefix: string;
  rows: readonly AuditRow[];
  whole: boolean;
}

/**
 * The newest `limit` entries of several audits. Each keeps its own order, even against the times, so that the place
 * after its last entry leaves none out. An audit without an entry on this page continues at its present newest entry,
 * because later entries are newer than this page. `places` is null once all have ended.
 */
export function mergeAudits(
  reads: readonly AuditRead[],
  limit: number,
): { entries: AuditRow[]; places: Places | null } {
  const taken = reads.map(() => 0);
  const entries: AuditRow[] = [];
  while (entries.length < limit) {
    const next = newestOf(reads, taken);
    if (next === null) break;
    entries.push({ ...next.row, id: next.prefix + next.row.id });
    taken[next.index] = (taken[next.index] ?? 0) + 1;
  }
  const places = Object.fromEntries(reads.map((read, index) => [read.name, placeAfter(read, taken[index] ?? 0)]));
  return { entries, places: Object.values(places).every((place) => place === null) ? null : places };
}

interface Newest {
  row: AuditRow;
  prefix: string;
  index: number;
}

function newestOf(reads: readonly AuditRead[], taken: readonly number[]): Newest | null {
  let newest: Newest | null = null;
  for (const [index, { rows, prefix }] of reads.entries()) {
    const row = rows[taken[index] ?? 0];
    if (row && (newest === null || row.at > newest.row.at)) newest = { row, prefix, index };
  }
  return newest;
}

function placeAfter({ rows, whole }: AuditRead, taken: number): AuditPlace | null {
  if (whole && taken === rows.length) return null;
  const last = rows[taken - 1];
  if (last) return { at: last.at, id: last.id };
  const first = rows[0];
  return first ? { at: first.at, id: following(first.id) } : null;
}

/** The id above this one, as long and with the same prefix. */
function following(id: string): string {
  const [, prefix = "", digits = "0"] = /^(\D*)(\d+)$/.exec(id) ?? [];
  return prefix + (BigInt(digits) + 1n).toString().padStart(digits.length, "0");
}
