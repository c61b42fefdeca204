import type { RelayInstance, RelayList } from "#contracts/outbox/relays.ts";
import type { LeaseRow, RelayRow } from "#db/stores/port/relay-rows.ts";
import type { StoreRecords } from "#db/stores/port/store-records.ts";
import { SILENT_SOON_SECONDS } from "#domain/diagnosis/facts/relays.ts";
import { AppError, toAppError } from "#domain/errors.ts";
import { RELAY_SILENT_SECONDS } from "../diagnosis/settings-of.ts";
import { maskHold, maskRelay } from "../masking/mask-rows.ts";
import { monitorSign } from "../monitor-alive.ts";
import { maskerFor } from "../outboxes/outbox-of.ts";
import { whyNoOwnTables } from "../outboxes/own-tables.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { whyUndecided } from "../stores/accept-first-mapping.ts";

/**
 * Relay instances, leases and pauses of every outbox whose store side is readable; the others are named in `problems`.
 * Throws unavailable if none could be read.
 */
export async function listRelays(input: { runtime: Runtime }): Promise<RelayList> {
  const { outboxes, absent } = await input.runtime.tables();
  const served = outboxes.filter((outbox) => outbox.storeSide);
  const asked = await Promise.all(served.map(readRelays));
  const read = asked.flatMap((one) => ("problem" in one ? [] : [one]));
  const unread = asked.flatMap((one) => ("problem" in one ? [one.problem] : []));
  const missing = absent.filter(({ kind, mode }) => kind === "outbox" && mode === "relay");
  const silent = [...unread, ...missing.map(({ name, message }) => ({ outbox: name, message }))];
  if (read.length === 0 && silent[0]) throw new AppError("unavailable", silent[0].message);
  const unmigrated = outboxes.filter(({ config, storeSide }) => config.mode === "relay" && !storeSide);
  const problems = [
    ...silent,
    ...unmigrated.map((handle) => ({ outbox: handle.name, message: whyNoOwnTables(handle) })),
  ];
  const undecided = outboxes.flatMap((handle) => {
    const message = handle.config.mode === "relay" && handle.storeSide ? whyUndecided(handle) : null;
    return message === null ? [] : [{ outbox: handle.name, message }];
  });
  return {
    problems,
    undecided,
    relays: read.flatMap(({ relays, leases }) => relays.map((row) => toInstance(row, leases))),
    leases: read.flatMap((one) => one.leases),
    pauses: read.flatMap((one) => one.paused.pauses),
    morePauses: read.reduce((more, { paused }) => more + paused.total - paused.pauses.length, 0),
    monitor: await monitorSign(input.runtime),
    asOf: new Date().toISOString(),
  };
}

type RelaysOfOutbox = Awaited<ReturnType<StoreRecords["relays"]>>;

async function readRelays(handle: OutboxHandle): Promise<RelaysOfOutbox | { problem: RelayList["problems"][number] }> {
  const { name, store } = handle;
  try {
    const [read, mask] = await Promise.all([store.guard.ask(() => store.records.relays(name)), maskerFor(handle)]);
    if (!mask) return read;
    const pauses = read.paused.pauses.map((row) => maskHold(mask, row));
    return { ...read, relays: read.relays.map((row) => maskRelay(mask, row)), paused: { ...read.paused, pauses } };
  } catch (error) {
    return { problem: { outbox: name, message: toAppError(error).message } };
  }
}

const STATES: readonly RelayInstance["state"][] = ["owner", "standby", "paused", "holding", "stopping", "stopped"];

/** A silent instance may have lost its partitions since its last heartbeat, so they are taken from the leases. */
function toInstance({ latency: _, ...row }: RelayRow, leases: readonly LeaseRow[]): RelayInstance {
  const said = STATES.find((state) => state === row.state) ?? "lost";
  if (said === "stopped" || row.heartbeatAgeSeconds < SILENT_SOON_SECONDS) return { ...row, state: said };
  const live = leases.find(({ owner, expired }) => owner === row.id && !expired);
  const state = row.heartbeatAgeSeconds > RELAY_SILENT_SECONDS ? "lost" : said;
  return { ...row, state, partitions: live?.partitions.length ?? 0 };
}
