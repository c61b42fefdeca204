/**
 * A set of transactions as the servers write it, with further ones in the order of the log. MySQL:
 * `uuid:1-5:7,uuid:tag:1`; MariaDB: the last transaction of each domain, `0-1-1234,1-3-45`.
 */
export function joinGtids(set: string | null, gtids: readonly string[]): string {
  const parts = [...(set === null || set === "" ? [] : set.split(",")), ...gtids];
  return parts.some((part) => part.includes(":")) ? joinMysql(parts) : joinMariadb(parts);
}

function joinMariadb(parts: readonly string[]): string {
  const last = new Map(parts.map((part) => [part.split("-")[0] ?? "", part]));
  return [...last.values()].join(",");
}

/** True if a server of MariaDB has written each of these transactions, or later ones of their domains. */
export function hasMariadbGtids(executed: string, gtids: string): boolean {
  const last = new Map(executed.split(",").map((gtid) => [domainOf(gtid), sequenceOf(gtid)]));
  return gtids.split(",").every((gtid) => gtid === "" || sequenceOf(gtid) <= (last.get(domainOf(gtid)) ?? 0n));
}

const domainOf = (gtid: string) => gtid.split("-")[0] ?? "";
const sequenceOf = (gtid: string) => BigInt(gtid.split("-")[2] ?? 0);

type Interval = [bigint, bigint];

function joinMysql(parts: readonly string[]): string {
  const sources = new Map<string, Interval[]>();
  for (const part of parts) {
    const [uuid = "", ...items] = part.trim().split(":");
    let source = uuid;
    for (const item of items) {
      if (!/^\d/.test(item)) source = `${uuid}:${item}`;
      else {
        const [from = "0", to = from] = item.split("-");
        const known = sources.get(source) ?? [];
        known.push([BigInt(from), BigInt(to)]);
        sources.set(source, known);
      }
    }
  }
  return [...sources]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([source, intervals]) => [source, ...merged(intervals).map(intervalText)].join(":"))
    .join(",");
}

function merged(intervals: Interval[]): Interval[] {
  const result: Interval[] = [];
  for (const [from, to] of intervals.toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    const last = result.at(-1);
    if (last && from <= last[1] + 1n) last[1] = to > last[1] ? to : last[1];
    else result.push([from, to]);
  }
  return result;
}

const intervalText = ([from, to]: Interval) => (from === to ? String(from) : `${from}-${to}`);
