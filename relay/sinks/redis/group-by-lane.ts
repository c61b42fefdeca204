/**
 * Groups are joined until they have this many entries: Redis serves no other client while a script appends one group.
 */
export const JOINED_UP_TO = 100;

/**
 * Cuts entries, in order, into groups such that no lane spans two groups. A lane with one entry is a separate group
 * unless another lane's entries surround it. Adjacent groups of several entries are joined.
 */
export function groupByLane<T extends { lane: string }>(entries: readonly T[]): T[][] {
  const last = new Map<string, number>();
  for (const [at, { lane }] of entries.entries()) last.set(lane, at);
  const lastOf = (at: number) => last.get(entries[at]?.lane ?? "") ?? at;
  const groups: T[][] = [];
  for (let start = 0; start < entries.length; ) {
    let end = start;
    const joins = (at: number) => end > start && end + 1 - start < JOINED_UP_TO && lastOf(at) > at;
    for (let at = start; at <= end || joins(at); at += 1) end = Math.max(end, lastOf(at));
    groups.push(entries.slice(start, end + 1));
    start = end + 1;
  }
  return groups;
}
