import type { Boundary, ConnectorOffset, OutboxHandover, ReaderState } from "#db/stores/port/handover.ts";
import { AppError } from "#domain/errors.ts";
import { outboxOf } from "../../outboxes/outbox-of.ts";
import type { OutboxHandle } from "../../runtime.ts";
import { type OutboxPlan, planOfOutbox } from "../plan-of-outbox.ts";
import {
  ACTION,
  type ChangeOver,
  handoverOf,
  isOurs,
  PAUSE_REASON,
  pauseFor,
  pauseOf,
  requireNoOther,
  untilRelaysRest,
} from "./change-over.ts";
import { publishRest } from "./publish-rest.ts";
import { afterFromRelay, leftoverSentence, lostSentence } from "./what-remains.ts";

/** Messages that the command publishes itself, after the relay has stopped. */
const MOST = 10_000;
/** Longest wait for the transactions that are open when the place begins. */
const OPEN_WAIT_MS = 60_000;

interface Change {
  from: ChangeOver;
  handle: OutboxHandle;
  handover: OutboxHandover;
  plan: OutboxPlan;
}

/**
 * From our relay to a connector, without a gap and without repeats: the relay is paused, a place in the log divides the
 * rows, what lies before it is published here, and a slot is left that begins at it, or a record of the place where the
 * server has no slots. It is there if and only if everything before it is published, so a run that was killed begins
 * again. Throws: not_found, invalid_input, wrong_state.
 */
export async function changeFromRelay(from: ChangeOver): Promise<void> {
  const handle = await from.runtime.outbox(from.outbox);
  const plan = await planOfOutbox(from);
  if (handle.config.debezium)
    return from.say(`A connector publishes outbox ${handle.name} by the configuration already.`);
  requireRelayed(handle);
  const handover = handoverOf(handle);
  const change = { from, handle, handover, plan };
  await requireFeed(change);
  const left = await leftBefore(change);
  if (left !== null) return afterFromRelay({ ...change, offset: left.offset });
  await requireLittle(change);
  for (const line of stepsOf(change)) from.say(line);
  if (!from.act) return from.say("Nothing was done. Run it again with --yes to do this.");
  await pauseRelays(change);
  const offset = await handOver(change);
  afterFromRelay({ ...change, offset });
}

function requireRelayed({ name, config, storeSide, stop }: OutboxHandle): void {
  if (config.mode !== "relay" || !config.relay || !storeSide)
    throw new AppError("wrong_state", `Outbox ${name} is not published by a relay of this console.`);
  if (stop !== null) throw new AppError("wrong_state", stop.message);
  if (config.relay.source === "cdc" && config.relay.cdc.mark === "none")
    throw new AppError(
      "wrong_state",
      `No row of outbox ${name} says that it was published (cdc.mark: none): the rows before a position in the log cannot be told from the others.`,
    );
}

async function requireFeed({ from, handover, plan }: Change): Promise<void> {
  const problems = await handover.problems(plan.names);
  if (problems.length === 0) return;
  from.say(`First, in the database:\n\n${plan.preparation}\n`);
  throw new AppError("wrong_state", problems.map(({ message }) => message).join("\n"));
}

/** The result of an earlier run, if its pause still holds; null without one. */
async function leftBefore({ handle, handover, plan }: Change): Promise<ReaderState | null> {
  const { reader: name } = plan.names;
  const [reader, pause] = [await handover.reader(name), await pauseOf(handle)];
  requireNoOther(pause);
  if (reader === null) return null;
  if (!isOurs(pause)) throw new AppError("wrong_state", leftoverSentence(handover.keeps, handle.name, name));
  if (reader.lost) throw new AppError("wrong_state", lostSentence(handover.keeps, name, reader.position));
  return reader;
}

async function requireLittle({ handle, handover }: Change): Promise<void> {
  const { waiting, left } = await handover.counts(MOST + 1);
  if (waiting > MOST)
    throw new AppError("wrong_state", `More than ${MOST} messages wait. Let the relay publish them first.`);
  if (left > 0)
    throw new AppError(
      "wrong_state",
      `${left} messages of outbox ${handle.name} are dead, expired or in an unknown state in the table: a connector never publishes them. Retry or archive them first.`,
    );
}

function stepsOf({ handle, handover, plan }: Change): string[] {
  const { reader: name } = plan.names;
  const keep = {
    slot: `4. Leave the slot ${name}, which begins at that position. From here on the server keeps its log for the connector.`,
    offset: `4. Record the position as ${name}, for the connector's offset. The server removes its log by age, read or not.`,
  };
  return [
    `1. Pause outbox ${handle.name}, and wait until its relays have nothing in flight. Producers continue; rows wait from here on.`,
    "2. Fix a position in the log: the rows committed before it are the relay's, all later ones the connector's.",
    `3. Publish what the relay had left before that position, through sink ${handle.config.relay?.sink}, and mark it. If this is killed, what was being sent is sent again by the next run.`,
    keep[handover.keeps],
    "5. Say what you have to do: create the connector and change outbox.yaml. The pause stays, so that no relay publishes what the connector publishes.",
  ];
}

async function pauseRelays({ from, handle, handover }: Change): Promise<void> {
  if (!isOurs(await pauseOf(handle))) await pauseFor(from, handle, "from the relay, until the way back");
  from.say("Paused. Waiting for the relays ...");
  await untilRelaysRest(handle, handover);
}

async function handOver({ from, handle, handover, plan }: Change): Promise<ConnectorOffset | null> {
  const { actor, say } = from;
  const boundary = await handover.openBoundary({ ...plan.names, waitMs: OPEN_WAIT_MS, most: MOST });
  try {
    say(`The position is ${boundary.position}; ${boundary.unsent.length} messages before it are not published yet.`);
    const audit = { actor, action: ACTION, reason: PAUSE_REASON };
    if (boundary.unsent.length > 0)
      await publishRest({
        from,
        handle,
        ids: boundary.unsent,
        mark: (ids, detail) => handover.mark({ ids, ...audit, detail }),
      });
    await requireNoneLeft(handle, boundary);
    // Recorded before it is done: after a crash the slot itself, or the record, says whether it was.
    const where = handover.keeps === "slot" ? `slot ${plan.names.reader}` : `recorded as ${plan.names.reader}`;
    const detail = `to connector ${plan.connector} at ${boundary.position}, ${where}`;
    await handover.mark({ ids: [], ...audit, detail });
    await boundary.keep();
    return boundary.offset;
  } finally {
    await boundary.close();
  }
}

async function requireNoneLeft(handle: OutboxHandle, { unsent }: Boundary): Promise<void> {
  if (unsent.length === 0) return;
  const rows = await outboxOf(handle).read.find(unsent);
  const open = rows.find(({ state }) => state !== "published" && state !== "archived");
  if (open) throw new AppError("wrong_state", `Message ${open.id} is ${open.state}. Run this again.`);
}
