import type pg from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LogTransaction } from "../replication/log-transaction.ts";
import { parseLsn } from "../replication/lsn.ts";
import { parsePgoutput, type RelationMessage } from "../replication/pgoutput.ts";
import { type TupleReader, tupleReader } from "../replication/tuple-reader.ts";
import { quoteIdentifier, quoteLiteral } from "../tables/mapping-sql.ts";
import type { LoggedTransaction } from "./judge-sent.ts";

const PAGE = 5_000;

interface Input {
  ref: OutboxRef;
  reader: string;
  feed: string;
}

/**
 * The transactions that a slot has not confirmed, up to the end of the log, in commit order. Only peeks: the slot's
 * position does not change. No other session may read the slot meanwhile.
 */
export async function* readLog(session: pg.Client, { ref, reader, feed }: Input): AsyncGenerator<LoggedTransaction> {
  const publications = quoteLiteral(quoteIdentifier(feed));
  await session.query("BEGIN");
  await session.query(
    `DECLARE log NO SCROLL CURSOR FOR SELECT lsn::text AS lsn, data
     FROM pg_logical_slot_peek_binary_changes(${quoteLiteral(reader)}, NULL, NULL, 'proto_version', '1', 'publication_names', ${publications})`,
  );
  const collect = collector(ref);
  for (;;) {
    const { rows } = await session.query<{ lsn: string; data: Buffer }>(`FETCH ${PAGE} FROM log`);
    for (const { lsn, data } of rows) {
      const ended = collect(lsn, data);
      if (ended) yield ended;
    }
    if (rows.length < PAGE) break;
  }
  await session.query("ROLLBACK");
}

/** Takes the messages of the output plugin one after another; returns a transaction at its commit. */
function collector({ mapping }: OutboxRef): (lsn: string, data: Buffer) => LoggedTransaction | null {
  const readers = new Map<number, TupleReader>();
  let open: LoggedTransaction | null = null;
  let began: LogTransaction = { commitLsn: 0n, xid: 0, committedAtMs: 0, position: "" };
  const isOutbox = ({ schema, name }: RelationMessage) =>
    schema === mapping.table.schema && name === mapping.table.name;
  return (text, data) => {
    const message = parsePgoutput(data);
    const lsn = parseLsn(text);
    switch (message.kind) {
      case "begin":
        began = { ...message, position: "" };
        open = { xid: message.xid, endLsn: 0n, rows: [] };
        return null;
      case "relation":
        if (!isOutbox(message)) readers.delete(message.oid);
        else
          readers.set(message.oid, tupleReader({ mapping, relation: message, lanes: false, fields: {}, whole: false }));
        return null;
      case "insert": {
        const reader = readers.get(message.oid);
        if (reader && open) open.rows.push({ lsn, id: reader.read(message.tuple, began, open.rows.length).id });
        return null;
      }
      case "commit": {
        const ended = open;
        open = null;
        return ended && { ...ended, endLsn: message.endLsn };
      }
      default:
        return null;
    }
  };
}
