import type { Connector } from "#contracts/outbox/connectors.ts";
import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { watchedFacts } from "../diagnosis/watched-facts.ts";
import { switchRefusal } from "../operations/require-switched-on.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { type OffsetsAnswer, withoutSecrets } from "./connect-answers.ts";
import { connectorSlotOf, readConnector } from "./read-connector.ts";

/**
 * The connector of an outbox with its slot. Throws: not_found; wrong_state (no connector publishes it); unavailable.
 */
export async function getConnector({ runtime, outbox }: { runtime: Runtime; outbox: string }): Promise<Connector> {
  const handle = await runtime.outbox(outbox);
  const debezium = connectorOf(handle);
  const look = await readConnector(runtime, handle);
  if (!look) throw new AppError("unavailable", `Kafka Connect at ${debezium.connect.address} has not answered yet.`);
  const { status, problem, offsets, offsetsProblem, topics, config } = look;
  return {
    outbox: handle.name,
    connector: debezium.connector,
    address: debezium.connect.address,
    asOf: look.at,
    problem: problem?.message ?? null,
    state: status?.connector.state ?? null,
    worker: status?.connector.worker_id ?? null,
    trace: maskedTrace(status?.connector.trace),
    tasks: (status?.tasks ?? []).map(({ id, state, worker_id, trace }) => ({
      ...{ id, state, worker: worker_id ?? null, trace: maskedTrace(trace) },
    })),
    offset: offsetOf(offsets),
    offsetProblem: problem ? null : offsetsProblem,
    slot: await slotOf(runtime, handle),
    topics,
    config,
    refusal: refusalOf(runtime, handle),
  };
}

/** Throws wrong_state if no connector publishes the outbox. */
export function connectorOf({ name, config }: OutboxHandle) {
  if (config.debezium) return config.debezium;
  throw new AppError("wrong_state", `Outbox ${name} is not published by a connector of Debezium.`);
}

/** Why acts on the connector are not allowed from here; null if an operator may act. */
export function refusalOf(runtime: Runtime, handle: OutboxHandle): string | null {
  const { name, config } = handle;
  const off = switchRefusal(runtime, handle, "connector");
  if (off !== null) return off;
  if (config.mode === "observe")
    return `Outbox ${name} is observed only. Set mode: operate for it in outbox.yaml and run \`${ourCommand("migrate")}\`.`;
  return runtime.records ? null : "An action needs the console's database for its audit: set console.databaseUrl.";
}

async function slotOf(runtime: Runtime, handle: OutboxHandle): Promise<Connector["slot"]> {
  const slot = connectorSlotOf(runtime, handle);
  if (slot === null) return null;
  const known = (await watchedFacts(runtime, handle, { urgent: true })).facts.connectorSlot;
  if (known?.slot !== slot) return null;
  const { slot: name, found, active, walStatus, lagBytes, unconfirmedBytes } = known;
  return { name, found, active, walStatus, lagBytes, unconfirmedBytes };
}

/** Of several partitions of a source the first: a connector of Postgres or MySQL has one. */
function offsetOf(offsets: OffsetsAnswer["offsets"] | null): Connector["offset"] {
  const offset = offsets?.[0]?.offset;
  if (!offset) return null;
  const { lsn_proc, lsn, lsn_commit, txId, gtids, file, pos, ts_usec, ts_sec } = offset;
  const binlog = file == null ? null : `${file}:${pos ?? "?"}`;
  return {
    position: lsnText(lsn_proc ?? lsn) ?? binlog,
    commit: lsnText(lsn_commit),
    transaction: (txId ?? gtids)?.toString() ?? null,
    at: instantOf(ts_usec, 1_000) ?? instantOf(ts_sec, 1 / 1_000),
  };
}

/** As Postgres writes a position: two hexadecimal halves. */
function lsnText(lsn: string | number | null | undefined): string | null {
  if (lsn === null || lsn === undefined || !/^\d+$/.test(String(lsn))) return null;
  const value = BigInt(lsn);
  return `${(value >> 32n).toString(16)}/${(value & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

function instantOf(value: string | number | null | undefined, perMs: number): string | null {
  const ms = Number(value ?? Number.NaN) / perMs;
  return Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : null;
}

function maskedTrace(trace: string | undefined): string | null {
  return trace === undefined ? null : withoutSecrets(trace);
}
