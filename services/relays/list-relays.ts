import type { RelayInstance, RelayList } from "#contracts/relays.ts";
import { readMonitorLease } from "#db/monitor/read-monitor-lease.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { type LeaseRow, listLeaseRows, listRelayRows, type RelayRow } from "#db/relays/list-relays.ts";
import { listPauseRows } from "#db/relays/pauses.ts";
import { RELAY_SILENT_SECONDS } from "../diagnosis/settings-of.ts";
import type { Runtime } from "../runtime.ts";

/** Relay instances, leases and pauses of every outbox whose store side may be read. Throws: unavailable. */
export async function listRelays(input: { runtime: Runtime }): Promise<RelayList> {
  const { outboxes } = await input.runtime.tables();
  const served = outboxes.filter((outbox) => outbox.storeSide);
  const read = await Promise.all(
    served.map(async ({ name, store }) => {
      try {
        return {
          relays: await listRelayRows(store.reads, name),
          leases: await listLeaseRows(store.reads, name),
          paused: await listPauseRows(store.reads, name),
        };
      } catch (error) {
        throw toDatabaseError(error, `outbox ${name}`);
      }
    }),
  );
  return {
    relays: read.flatMap(({ relays, leases }) => relays.map((row) => toInstance(row, leases))),
    leases: read.flatMap((one) => one.leases),
    pauses: read.flatMap((one) => one.paused.pauses),
    morePauses: read.reduce((more, { paused }) => more + paused.total - paused.pauses.length, 0),
    monitor: await readMonitor(input.runtime),
    asOf: new Date().toISOString(),
  };
}

async function readMonitor(runtime: Runtime): Promise<RelayList["monitor"]> {
  const lease = runtime.consoleDb ? await readMonitorLease(runtime.consoleDb).catch(() => null) : null;
  return lease
    ? { alive: lease.heartbeatAgeSeconds < 30, id: lease.owner, heartbeatAgeSeconds: lease.heartbeatAgeSeconds }
    : { alive: false, id: null, heartbeatAgeSeconds: null };
}

const STATES: readonly RelayInstance["state"][] = ["owner", "standby", "paused", "holding", "stopping", "stopped"];

/** One that is silent may have lost what it last said it owns: then the leases tell. */
function toInstance({ latency: _, ...row }: RelayRow, leases: readonly LeaseRow[]): RelayInstance {
  const said = STATES.find((state) => state === row.state) ?? "lost";
  const lost = row.heartbeatAgeSeconds > RELAY_SILENT_SECONDS && said !== "stopped";
  if (!lost) return { ...row, state: said };
  const live = leases.find(({ owner, expired }) => owner === row.id && !expired);
  return { ...row, state: "lost", partitions: live?.partitions.length ?? 0 };
}
