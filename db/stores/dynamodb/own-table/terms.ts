import type { LeaseRow } from "../../port/relay-rows.ts";
import type { Link } from "../connection/link.ts";
import { nowText } from "../items/instant.ts";
import type { Item } from "../items/item.ts";
import { fromItem, getRecord, type OwnTable, PARTITIONS, queryItems } from "./own-table.ts";
import { CLAIM, type ClaimDoc, type LeasesDoc, TERM, type TermDoc } from "./relay-docs.ts";

export interface Term extends TermDoc {
  /** Ms since 1970. */
  untilMs: number;
}

export interface HeldClaim extends ClaimDoc {
  sk: string;
  /** Ids that are still in flight. */
  left: string[];
  /** Its term has not expired. */
  lives: boolean;
}

/** The terms and claims of one outbox; each page is consistent in itself. */
export interface RelayState {
  leases: { doc: LeasesDoc; v: string } | null;
  terms: Term[];
  claims: HeldClaim[];
  nowMs: number;
}

/** The server's clock as estimated from its answers, ms since 1970. */
export function serverNowMs({ clock }: Pick<Link, "clock">): number {
  return clock.nowMs();
}

/** The same as text, for a record; asks the server for its time if it has not answered yet. */
export async function serverNow(own: OwnTable): Promise<string> {
  if (!own.link.clock.isKnown) await getRecord(own, { pk: PARTITIONS.meta, sk: "clock" });
  return nowText(serverNowMs(own.link));
}

/** Consistent. */
export async function readRelayState(own: OwnTable, outbox: string): Promise<RelayState> {
  const items = await queryItems(own, { pk: PARTITIONS.relay(outbox) });
  const nowMs = serverNowMs(own.link);
  const of = (prefix: string) => items.filter(({ sk }) => sk?.S?.startsWith(prefix));
  const terms = of(TERM).map(termOf);
  const leases = items.find(({ sk }) => sk?.S === "leases");
  return {
    leases: leases ? fromItem<LeasesDoc>(leases) : null,
    terms,
    claims: of(CLAIM).map((item) => claimOf(item, terms, nowMs)),
    nowMs,
  };
}

export async function readTerms(own: OwnTable, outbox: string): Promise<Term[]> {
  return (await queryItems(own, { pk: PARTITIONS.relay(outbox), prefix: TERM })).map(termOf);
}

function termOf(item: Item): Term {
  return { ...fromItem<TermDoc>(item).doc, untilMs: Number(item.until?.N ?? 0) };
}

function claimOf(item: Item, terms: readonly Term[], nowMs: number): HeldClaim {
  const { doc, sk } = fromItem<ClaimDoc>(item);
  const done = new Set(item.done?.SS ?? []);
  const term = terms.find(({ epoch }) => epoch === doc.epoch);
  const lives = term !== undefined && term.untilMs > nowMs;
  return { ...doc, sk, lives, left: doc.ids.filter((id) => !done.has(id)) };
}

/** Partitions by owner and term, the living first. */
export function listLeases(outbox: string, { leases, terms, nowMs }: RelayState): LeaseRow[] {
  const rows = (leases?.doc.partitions ?? []).map(({ owner, epoch, until }, partition) => {
    const term = terms.find((one) => one.epoch === epoch && one.owner === owner);
    const untilMs = term?.untilMs ?? Date.parse(until);
    return { partition, owner, epoch, untilMs, expired: !term || untilMs <= nowMs };
  });
  rows.sort((one, other) => Number(one.expired) - Number(other.expired) || one.partition - other.partition);
  return [...Map.groupBy(rows, ({ owner, expired }) => JSON.stringify([owner, expired])).values()].map((same) => ({
    outbox,
    partitions: same.map(({ partition }) => partition),
    owner: same[0]?.owner ?? "",
    epoch: Math.max(...same.map(({ epoch }) => epoch)),
    until: new Date(Math.min(...same.map(({ untilMs }) => untilMs))).toISOString(),
    expired: same[0]?.expired ?? true,
  }));
}
