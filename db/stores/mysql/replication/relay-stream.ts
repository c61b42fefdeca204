import { type RelayStream, StreamError } from "../../port/relay/relay-stream.ts";
import type { RowReader } from "../relay/read-row.ts";
import type { RelayContext } from "../relay/relay-context.ts";
import { positionOf } from "./binlog-place.ts";
import { type BinlogCheck, type BinlogNames, checkBinlog, statusOf } from "./check-binlog.ts";
import { type Checkpoint, moveCheckpoint } from "./checkpoint.ts";
import { claimIds, claimRows } from "./claim-streamed.ts";
import { inNewSession } from "./new-session.ts";
import { openBinlogStream } from "./open-stream.ts";
import { createPark } from "./park-messages.ts";
import { readUnsent } from "./read-unsent.ts";

/** The log of one outbox. Creates and drops nothing; connects on first use. */
export function createRelayStream(input: {
  context: RelayContext;
  /** The reader of the table's rows, which changes with the table's facts. */
  reader: () => RowReader;
  /** Runs statements that name the table's indexes. */
  using<T>(work: () => Promise<T>): Promise<T>;
  url: string;
  name: string;
}): RelayStream {
  const { context, url, name, using } = input;
  const { mapping, lanes, fields, mark, sessions, own } = context;
  const names: BinlogNames = { reader: name, schema: mapping.table.schema };
  const whole = mark === "none";
  const check = async () => {
    const checked = await sessions.single((session) => checkBinlog(session, own, names));
    if (!checked.problems.some(({ code }) => code === "permission")) return checked;
    // A session keeps the global privileges that its account had when it was opened.
    return inNewSession({ url, own: own.place }, (session) => checkBinlog(session, own, names));
  };
  const move = (checkpoint: Checkpoint) => sessions.single((session) => moveCheckpoint(session, own, name, checkpoint));
  /**
   * Checkpoint that the last connection confirmed; its write may be in progress, or may have failed with the
   * connection.
   */
  let latest: Checkpoint | null = null;
  return {
    name,
    mark,
    check: async () => (await check()).problems[0] ?? null,
    status: async () => statusOf(name, await check()),
    open: async (events) => {
      const stored = await startOf(await check(), move);
      const checkpoint = latest && isBehind(stored, latest) ? latest : stored;
      const confirmed = (reached: Checkpoint) => {
        latest = reached;
      };
      const settings = { url, reader: name, mapping, lanes, fields, whole };
      return openBinlogStream({ ...settings, checkpoint, events, move, confirmed });
    },
    claim: (request) => (whole ? claimIds(context, request) : using(() => claimRows(context, input.reader(), request))),
    positionOf: ([place]) => place,
    schedules: mapping.columns.availableAt !== undefined,
    unsent: (request) => using(() => readUnsent(context, request)),
    park: createPark(context),
  };
}

/** True if the stored checkpoint is older than the confirmed one, on the same server. */
function isBehind(stored: Checkpoint, confirmed: Checkpoint): boolean {
  return stored.server === confirmed.server && positionOf(stored.place) < positionOf(confirmed.place);
}

/**
 * Where to begin. On a server that took over, files and offsets are others: the transactions that were read are left
 * out by their numbers, and positions go on behind those of the server before. Throws StreamError.
 */
async function startOf(
  { problems, checkpoint, settings }: BinlogCheck,
  move: (checkpoint: Checkpoint) => Promise<void>,
): Promise<Checkpoint> {
  const [problem] = problems;
  if (problem) throw new StreamError(problem);
  if (!checkpoint) throw new Error("A checked reader has no checkpoint.");
  if (checkpoint.server === settings.server) return checkpoint;
  const incarnation = Math.max(checkpoint.place.incarnation + 1, Math.floor(settings.nowMs / 1000));
  const moved = { ...checkpoint, server: settings.server, place: { incarnation, file: "", offset: 0 } };
  await move(moved);
  return moved;
}
