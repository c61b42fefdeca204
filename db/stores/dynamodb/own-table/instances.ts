import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import type { RelayRow, RelayTotals } from "../../port/relay-rows.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { readFingerprints } from "./mapping-fingerprints.ts";
import { deleteIf, getRecord, type OwnRecord, type OwnTable, PARTITIONS, putIf, queryRecords } from "./own-table.ts";
import type { InstanceDoc } from "./relay-docs.ts";
import { serverNowMs } from "./terms.ts";

const MOST_RELAYS = 50;
const MOST_READ = 10_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Every instance with a stored heartbeat; consistent. */
export async function listInstances(own: OwnTable, outbox: string): Promise<OwnRecord<InstanceDoc>[]> {
  return (await readAll(own, outbox)).filter(({ sk }) => sk !== RETIRED);
}

async function readAll(own: OwnTable, outbox: string): Promise<OwnRecord<InstanceDoc>[]> {
  return (await queryRecords<InstanceDoc>(own, { pk: PARTITIONS.instances(outbox), limit: MOST_READ })).records;
}

/**
 * Instances with a heartbeat within the last day, and the last one however long ago that was; owners first, at most 50.
 */
export async function listRelayRows(own: OwnTable, outbox: string): Promise<RelayRow[]> {
  const instances = await listInstances(own, outbox);
  const nowMs = serverNowMs(own.link);
  const beatMs = ({ doc }: OwnRecord<InstanceDoc>) => Date.parse(doc.heartbeatAt);
  const lastMs = Math.max(...instances.map(beatMs));
  const rank = ({ doc }: OwnRecord<InstanceDoc>) => (doc.state === "owner" ? 0 : 1);
  return instances
    .filter((one) => beatMs(one) > nowMs - DAY_MS || beatMs(one) === lastMs)
    .sort((one, other) => rank(one) - rank(other) || beatMs(other) - beatMs(one))
    .slice(0, MOST_RELAYS)
    .map((one) => ({ ...one.doc, heartbeatAgeSeconds: Math.max(0, (nowMs - beatMs(one)) / 1000) }));
}

/** Totals of all relays that an outbox ever had; zero if none ever ran. */
export async function readRelayTotals(own: OwnTable, outbox: string): Promise<RelayTotals> {
  return sumOf((await readAll(own, outbox)).map(({ doc }) => doc));
}

function sumOf(docs: readonly RelayTotals[]): RelayTotals {
  const buckets = Math.max(0, ...docs.map(({ latency }) => latency.length));
  return {
    published: docs.reduce((sum, { published }) => sum + published, 0),
    failures: docs.reduce((sum, { failures }) => sum + failures, 0),
    latency: Array.from({ length: buckets }, (_, at) => docs.reduce((sum, doc) => sum + (doc.latency[at] ?? 0), 0)),
  };
}

/**
 * Deletes instances that have been silent for `silentHours` and adds their counters to the sum of deleted ones. Keeps
 * the newest of each outbox, so that "last heard" stays known. Race: one transaction deletes an instance and updates
 * the sum, on condition that the sum is as it was read, so nothing is counted twice or dropped.
 */
export async function retireRelays(own: OwnTable, silentHours: number): Promise<number> {
  let retired = 0;
  for (const outbox of (await readFingerprints(own)).keys()) {
    const instances = await listInstances(own, outbox);
    const beats = instances.map(({ doc }) => Date.parse(doc.heartbeatAt));
    const newest = Math.max(...beats);
    const before = serverNowMs(own.link) - silentHours * HOUR_MS;
    for (const [place, instance] of instances.entries()) {
      const beat = beats[place] ?? newest;
      if (beat < before && beat < newest && (await retire(own, outbox, instance))) retired += 1;
    }
  }
  return retired;
}

const TRIES = 20;

/** False if it has sent a heartbeat meanwhile, or if another process has retired it. */
async function retire(own: OwnTable, outbox: string, { sk, doc, v }: OwnRecord<InstanceDoc>): Promise<boolean> {
  const pk = PARTITIONS.instances(outbox);
  for (let tried = 1; ; tried += 1) {
    const sum = await getRecord<InstanceDoc>(own, { pk, sk: RETIRED });
    const totals = sumOf([doc, ...(sum ? [sum.doc] : [])]);
    const kept: InstanceDoc = { ...forgotten(outbox), ...totals };
    const next = putIf(own, { pk, sk: RETIRED, doc: kept, v: String(Number(sum?.v ?? 0) + 1) }, sum?.v ?? null);
    try {
      await own.link.transact([deleteIf(own, { pk, sk }, v), next]);
      return true;
    } catch (error) {
      const cancelled = cancelledBy(error);
      if (!cancelled || tried === TRIES) throw error;
      if (cancelled.failed.includes(0)) return false;
    }
  }
}

const EPOCH = "1970-01-01T00:00:00.000Z";

function forgotten(outbox: string): InstanceDoc {
  return {
    ...{ id: RETIRED, outbox, host: "", pid: 0, version: "", startedAt: EPOCH, heartbeatAt: EPOCH, state: "stopped" },
    ...{ source: "", sink: { name: "", kind: "", address: "" }, published: 0, failures: 0, publishedPerSecond: null },
    ...{ inFlight: 0, lastPublishedAt: null, lastError: null, lastErrorAt: null, breaker: null, routes: [] },
    ...{ foreignPublished: 0, foreignUnclaimed: 0, foreignSince: null, foreignLastAt: null, clockOffsetMs: null },
    ...{ settlingSince: null, lateCommits: 0, partitions: 0, stream: null, latency: [] },
  };
}
