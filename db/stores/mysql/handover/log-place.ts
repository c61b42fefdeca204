import { randomBytes } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { literalOf } from "../connection/literal.ts";
import type { Session } from "../connection/session.ts";
import { ownName } from "../relay/relay-context.ts";
import type { Checkpoint } from "../replication/checkpoint.ts";
import { createReaderSql } from "../replication/checkpoint.ts";
import { readServerLog, readSettings } from "../replication/server-log.ts";

/** No reader of ours reads from such a checkpoint, so nothing waits for it to move on. */
const READ_ALL_MS = Date.UTC(9999, 0);

/** Where the log ends now. */
export async function readEnd(session: Session): Promise<Checkpoint> {
  const settings = await readSettings(session);
  const { end } = await readServerLog(session, settings);
  const { file, offset, gtids } = end;
  const place = { incarnation: Math.floor(settings.nowMs / 1000), file, offset };
  return { server: settings.server, place, gtids, readToMs: READ_ALL_MS };
}

/**
 * Where the log ends now; every transaction before it is visible to snapshots that are taken after this. The server
 * writes a transaction into its log before it commits it, and commits in the order of the log: once a later one of ours
 * is committed, all before it are.
 */
export async function readVisibleEnd(session: Session): Promise<Checkpoint> {
  const settings = await readSettings(session);
  const end = await readMarkedEnd(session);
  if (settings.numbering === null || end.gtids) return end;
  // A connector reads the whole log if its offset names none of the numbered transactions. Now the log has one.
  const later = await readMarkedEnd(session);
  if (later.gtids) return later;
  throw new AppError(
    "wrong_state",
    "The server's log has no transaction with a number (GTID) yet. Write something to the database, and run this again.",
  );
}

async function readMarkedEnd(session: Session): Promise<Checkpoint> {
  const end = await readEnd(session);
  await commitMarker(session, end);
  return end;
}

async function commitMarker(session: Session, end: Checkpoint): Promise<void> {
  const marker = `change_over_${randomBytes(6).toString("hex")}`;
  await session.script([
    "START TRANSACTION",
    createReaderSql(session.own, marker, end).replace(/;$/, ""),
    `DELETE FROM ${ownName(session.own.binlogReader)} WHERE reader = ${literalOf(marker)}`,
    "COMMIT",
  ]);
}
