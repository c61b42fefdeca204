import { PARTITIONS } from "#domain/relay/partitions.ts";
import type { SeenTerm, ShareView } from "../../port/relay/share-view.ts";

interface MemberRow {
  ordering?: string | null;
}

type TermRow = Omit<SeenTerm, "owner"> & { count: number };

/** From rows of an instance's id and its ordering, or of an owner and its term, as JSON. */
export function toShareView(rows: readonly (string | null)[][]): ShareView & { terms: readonly SeenTerm[] } {
  const owned = new Map<string, number>();
  const members: string[] = [];
  const orderings = new Map<string, string>();
  const terms: SeenTerm[] = [];
  for (const [id, facts] of rows) {
    const owner = id ?? "";
    const read = JSON.parse(facts ?? "{}") as MemberRow | TermRow;
    if (!("count" in read)) {
      members.push(owner);
      if (read.ordering != null) orderings.set(owner, read.ordering);
      continue;
    }
    const { count, ...seen } = read;
    owned.set(owner, (owned.get(owner) ?? 0) + count);
    terms.push({ owner, ...seen });
  }
  const taken = [...owned.values()].reduce((sum, count) => sum + count, 0);
  return { members, orderings, owned, free: PARTITIONS - taken, terms };
}
