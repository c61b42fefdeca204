import { PARTITIONS } from "#domain/partitions.ts";
import type { SeenTerm, ShareView } from "../port/relay/share-view.ts";

/** From rows of an instance's id, or of an owner and its term as JSON. */
export function toShareView(rows: readonly (string | null)[][]): ShareView & { terms: readonly SeenTerm[] } {
  const owned = new Map<string, number>();
  const members: string[] = [];
  const terms: SeenTerm[] = [];
  for (const [id, term] of rows) {
    if (typeof term !== "string") {
      members.push(id ?? "");
      continue;
    }
    const owner = id ?? "";
    const { count, ...seen } = JSON.parse(term) as Omit<SeenTerm, "owner"> & { count: number };
    owned.set(owner, (owned.get(owner) ?? 0) + count);
    terms.push({ owner, ...seen });
  }
  const taken = [...owned.values()].reduce((sum, count) => sum + count, 0);
  return { members, owned, free: PARTITIONS - taken, terms };
}
