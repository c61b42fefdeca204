import type { OutboxHandover, StoredPlace } from "#db/stores/port/handover.ts";
import { AppError } from "#domain/errors.ts";
import type { DebeziumConfig } from "../../config/debezium-schema.ts";
import type { OutboxHandle } from "../../runtime.ts";
import { logNameOf } from "../plan-of-outbox.ts";
import { asRelayed } from "./as-relayed.ts";
import {
  ACTION,
  type ChangeOver,
  endPause,
  handoverOf,
  isOurs,
  PAUSE_REASON,
  pauseFor,
  pauseOf,
  requireNoOther,
  until,
  untilRelaysRest,
} from "./change-over.ts";
import { namesInConnector } from "./connector-names.ts";
import { readConnectorPlace } from "./connector-place.ts";
import { openPatiently, type PatientConnect } from "./patient-connect.ts";
import { afterToRelay, sayAfterToRelay } from "./what-remains.ts";

/** Most messages behind the connector's place that are kept in memory. */
const MOST = 1_000_000;

interface Back {
  from: ChangeOver;
  /** As our relay will read the table. */
  handle: OutboxHandle;
  debezium: DebeziumConfig;
  handover: OutboxHandover;
  client: PatientConnect;
  names: { reader: string; feed: string };
  /** The place that the slot has confirmed is taken in place of Connect's offset, and the connector is not asked. */
  fromSlot: boolean;
}

/**
 * From a connector to our relay: the connector is stopped, the log shows which rows lie after its offset, and all
 * others are marked as published. No other state is kept, so a run that was killed begins again. Throws: not_found,
 * wrong_state, invalid_input, ConnectError.
 */
export async function changeToRelay(from: ChangeOver, options: { fromSlot: boolean }): Promise<void> {
  const known = await from.runtime.outbox(from.outbox);
  const { debezium } = known.config;
  if (!debezium) return sayAfterToRelay(from, known);
  const handle = asRelayed(known);
  const client = openPatiently(debezium);
  const handover = handoverOf(handle);
  const { keeps } = handover;
  const record = from.slot ?? debezium.slot ?? logNameOf(handle.name);
  // First, because only this call reports a missing connector in a sentence.
  await client.status();
  const names = await namesInConnector({ handle, debezium, client, handover, record });
  const back = { from, handle, debezium, client, names, handover, ...options };
  await requireReadable(back);
  requireNoOther(await pauseOf(handle));
  for (const line of stepsOf(back)) from.say(line);
  if (!from.act) return from.say("Nothing was done. Run it again with --yes to do this.");
  if (!isOurs(await pauseOf(handle))) await pauseFor(from, handle, "to the relay, until every row is marked");
  await untilRelaysRest(handle, back.handover);
  await stopConnector(back);
  const place = options.fromSlot ? null : await readConnectorPlace(client, keeps);
  await markSentRows(back, place);
  // Before the pause ends, because the next change to a connector would use this record.
  await handover.forget(names.reader);
  await endPause(from, handle, "to the relay; every row that the connector published is marked");
  afterToRelay(back);
}

async function requireReadable({ handover, names, fromSlot }: Back): Promise<void> {
  const problems = await handover.problems(names);
  if (problems.length > 0) throw new AppError("wrong_state", problems.map(({ message }) => message).join("\n"));
  if (handover.keeps === "offset") {
    if (fromSlot)
      throw new AppError("invalid_input", `--from-slot is for Postgres: ${await handover.product()} has no slots.`);
    return;
  }
  const reader = await handover.reader(names.reader);
  if (reader && !reader.lost) return;
  throw new AppError(
    "wrong_state",
    `The slot ${names.reader} is gone or lost, so it is unknown which rows come after the connector's offset. Mark by hand what was published: docs/debezium.md.`,
  );
}

function stepsOf({ handle, handover, debezium, names, fromSlot }: Back): string[] {
  const slotted = handover.keeps === "slot";
  const place = fromSlot
    ? `2. Take the position that the slot ${names.reader} has confirmed. What the connector published after it is published again.`
    : `2. Stop the connector ${debezium.connector} at ${debezium.connect.address}, and read its offset. Its other work stops too.`;
  return [
    `1. Pause outbox ${handle.name}, so that no relay begins before its rows are marked. Producers continue; rows wait from here on.`,
    place,
    `3. Read in the log${slotted ? ", without moving the slot," : ""} which rows come after that position; mark every other unsent row of ${handle.mapping.table.schema}.${handle.mapping.table.name} as published. If this is killed, run it again.`,
    `4. End the pause, and say what you have to do: change outbox.yaml, start the worker, delete the connector and its ${slotted ? "slot" : "offset"}. Nothing is dropped here.`,
  ];
}

async function stopConnector({ from, debezium, client, handover, names, fromSlot }: Back): Promise<void> {
  if (!fromSlot && (await client.status()).connector.state !== "STOPPED") {
    // Recorded before it is done, with the outbox's own audit: the console's may be in another database.
    const detail = `${debezium.connector} is told to stop`;
    await handover.mark({ ids: [], actor: from.actor, action: "connector.stop", reason: PAUSE_REASON, detail });
    await client.stop();
    from.say("The connector was asked to stop. Waiting ...");
  }
  const why = await until(async () => {
    const state = fromSlot ? "STOPPED" : (await client.status()).connector.state;
    if (state !== "STOPPED") return `The connector is ${state}`;
    return handover.keeps === "slot" && (await handover.reader(names.reader))?.inUse
      ? `The slot ${names.reader} is being read`
      : null;
  });
  if (why !== null) throw new AppError("wrong_state", `${why} after a minute. The outbox stays paused.`);
}

async function markSentRows({ from, handover, names }: Back, place: StoredPlace | null): Promise<void> {
  const division = await handover.openDivision({ ...names, place, most: MOST });
  try {
    const again = division.doubtful === 0 ? "" : `; ${division.doubtful} of them may be published twice`;
    from.say(`${division.behind} messages come after the position: the relay publishes them${again}.`);
    let marked = 0;
    for (let ids = await division.next(); ids !== null; ids = await division.next()) {
      const detail = `${ids.length} messages published by the connector`;
      marked += await handover.mark({ ids, actor: from.actor, action: ACTION, reason: PAUSE_REASON, detail });
    }
    from.say(`${marked} messages are marked as published.`);
  } finally {
    await division.close();
  }
}
