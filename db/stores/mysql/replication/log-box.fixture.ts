import { waitFor } from "#tests/wait-for.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { AcquiredLease } from "../../port/relay/lease.ts";
import type { Notice, OpenStream, RelayStream } from "../../port/relay/relay-stream.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import type { StreamPosition } from "../../port/relay/stream-transaction.ts";
import { createRelayTable } from "../relay/mysql-relay-table.ts";
import { createReader } from "./create-stream.ts";
import { inNewSession } from "./new-session.ts";

/** Where a test has its outbox and our own tables. */
export interface LogDatabase {
  url: string;
  name: string;
  own: { database: string };
}

export const READER = "log_box";

/** Lets the reader begin where the log ends now; the statements that it took. */
export function createLogReader(database: LogDatabase): Promise<string[]> {
  const names = { reader: READER, schema: database.name };
  return inNewSession(database, (session) => createReader(session, session.own, names));
}

export interface LogRelay {
  table: RelayTable;
  stream: RelayStream;
  lease: AcquiredLease;
}

/** A relay of the outbox that has its lease and reads the log. */
export async function openLogRelay(
  { url, own }: LogDatabase,
  mapping: OutboxMapping,
  { mark = "column", fields = {} }: { mark?: RelayStream["mark"]; fields?: Record<string, string> } = {},
): Promise<LogRelay> {
  const table = createRelayTable({
    ...{ outbox: "box", ordering: "aggregate", maxAttempts: 3, relayId: "r", sinkName: "s", mapping, url, own, fields },
    cdc: { reader: READER, mark },
  });
  const lease = await table.acquireLease({ owner: "me", leaseMs: 600_000 });
  if (!lease || !table.stream) throw new Error("The relay has no lease, or no log.");
  return { table, stream: table.stream, lease };
}

export interface LogEars {
  open: OpenStream;
  notices: Notice[];
  commits: StreamPosition[];
  /** The first `count` notices, once they and the commits of their transactions have arrived. */
  heard(count: number): Promise<readonly Notice[]>;
}

/** `onNotice` is called for each notice, at once. */
export async function listenTo(
  stream: Pick<RelayStream, "open">,
  onNotice?: (ears: LogEars) => void,
): Promise<LogEars> {
  const notices: Notice[] = [];
  const commits: StreamPosition[] = [];
  let unfinished = false;
  const ears = { notices, commits } as unknown as LogEars;
  ears.open = await stream.open({
    notice: (notice) => {
      unfinished = true;
      notices.push(notice);
      onNotice?.(ears);
    },
    commit: (position) => {
      unfinished = false;
      commits.push(position);
    },
    position: () => undefined,
    flushed: () => undefined,
  });
  ears.heard = (count) =>
    waitFor(() => !unfinished && notices.length >= count && notices, { message: `${count} rows were told of` });
  return ears;
}
