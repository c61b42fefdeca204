import { randomUUID } from "node:crypto";
import { afterEach, beforeEach } from "vitest";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { type Operation, type TargetedRequest, targetedRequestSchema } from "#contracts/message/operations.ts";
import type { MessageAction, MessageState } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";
import { LAYOUTS, type Layout } from "#tests/factories/layouts-states.ts";
import { ADMIN, contextOf, openOperatedRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { TestDatabase } from "#tests/test-database.ts";
import { getMessage } from "../messages/get-message.ts";
import type { Runtime } from "../runtime.ts";
import { performOperation } from "./perform-operation.ts";

const OURS = "delivery, claim, lease, dead_letter, archive, operation, audit, attempt, mapping_fingerprint";

interface Act {
  actor?: Actor;
  version?: string;
  key?: string;
  dryRun?: boolean;
  reason?: string;
}

/** The outbox `orders` of one table, with an operator in front of it; everything is empty before each test. */
export interface OperatedOutbox {
  database: () => TestDatabase;
  /** Creates the layout's table and operates it. */
  open(layout: Layout): Promise<void>;
  /** Operates a table that the test has created, with further settings of the outbox. */
  openTable(table: string, settings?: Record<string, unknown>): void;
  /** Acts on one message, as it is now unless a version is given. */
  act(action: MessageAction, id: string, more?: Act): Promise<Operation>;
  perform(action: MessageAction, targets: TargetedRequest["targets"], more?: Act): Promise<Operation>;
  read(id: string): Promise<MessageDetail>;
  stateOf(id: string): Promise<MessageState>;
  /** A message in the state, by the table's own columns where it has them. */
  put(layout: Layout, state: MessageState): Promise<string>;
  /** Records failures of a message outside its row. */
  fail(id: string): Promise<void>;
  /** A relay claims the message and another. */
  claimIt(id: string, live: boolean): Promise<void>;
  /** Everything that an action may write, as text. */
  everything(table: string): Promise<string>;
  /** Every row of the table exactly as it is. */
  rowsOf(table: string): Promise<string[]>;
  auditRows(): Promise<Record<string, unknown>[]>;
}

/** One database for all tests of a file. */
export function operatedOutbox(): OperatedOutbox {
  const database = testDatabase("migrated");
  let runtime: Runtime;
  let runtimes: Runtime[] = [];

  beforeEach(async () => {
    await database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await database().pool.query(`TRUNCATE ${OURS.replace(/\w+/g, (name) => `outbox_console.${name}`)}`);
  });
  afterEach(async () => {
    await Promise.all(runtimes.map((opened) => opened.close()));
    runtimes = [];
  });

  const openTable: OperatedOutbox["openTable"] = (table, settings) => {
    runtime = openOperatedRuntime(database().url, table, settings);
    runtimes.push(runtime);
  };
  const read = (id: string) => getMessage({ runtime, outbox: "orders", id });
  const perform: OperatedOutbox["perform"] = (action, targets, more = {}) => {
    const request = targetedRequestSchema.parse({
      action,
      targets,
      reason: more.reason ?? "INC-42",
      ...(more.dryRun === undefined ? {} : { dryRun: more.dryRun }),
    });
    return performOperation({
      ctx: contextOf(runtime, more.actor ?? ADMIN),
      outbox: "orders",
      request,
      idempotencyKey: more.key ?? null,
    });
  };
  const act: OperatedOutbox["act"] = async (action, id, more = {}) => {
    const version = more.version ?? (await read(id)).message.version;
    return perform(action, [{ id, version }], more);
  };
  return {
    database,
    open: async (layout) => {
      await database().pool.query(layout.ddl);
      openTable(layout.table, layout.settings);
    },
    openTable,
    act,
    perform,
    read,
    stateOf: async (id) => (await read(id)).message.state,
    put: (layout, state) => put({ pool: database().pool, act }, layout, state),
    fail: (id) => fail(database().pool, id),
    claimIt: (id, live) => claimIt(database().pool, id, live),
    everything: (table) => everything(database().pool, table),
    rowsOf: async (table) => {
      const { rows } = await database().pool.query<{ text: string }>(
        `SELECT t::text AS text FROM ${table} t ORDER BY 1`,
      );
      return rows.map((row) => row.text);
    },
    auditRows: async () => {
      const { rows } = await database().pool.query(
        `SELECT actor, role, action, message_id AS "messageId", outcome, reason, state_before AS "before", state_after AS "after" FROM outbox_console.audit ORDER BY id`,
      );
      return rows;
    },
  };
}

export function layoutNamed(name: string): Layout {
  const layout = LAYOUTS.find((one) => one.name === name);
  if (!layout) throw new Error(`${name} is missing`);
  return layout;
}

type Pool = TestDatabase["pool"];

async function everything(pool: Pool, table: string): Promise<string> {
  const { rows } = await pool.query<{ text: string }>(
    `SELECT coalesce((SELECT string_agg(t::text, '|' ORDER BY t::text) FROM ${table} t), '') || coalesce((SELECT string_agg(d::text, '|') FROM outbox_console.delivery d), '')
       || (SELECT count(*) FROM outbox_console.dead_letter) || ',' || (SELECT count(*) FROM outbox_console.archive) || ',' || (SELECT count(*) FROM outbox_console.audit) AS text`,
  );
  return rows[0]?.text ?? "";
}

async function fail(pool: Pool, id: string): Promise<void> {
  await pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, first_failed_at, last_failed_at, first_error, last_error, last_error_code, fingerprint, next_attempt_at)
     VALUES ('orders', $1, 3, now(), now(), 'first', 'HTTP 500', 'server_error', 'f00', now() + interval '1 hour')`,
    [id],
  );
}

async function claimIt(pool: Pool, id: string, live: boolean): Promise<void> {
  await pool.query(
    "INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until) SELECT 'orders', p, 'relay-1', 1, clock_timestamp() + $1::interval FROM generate_series(0, 31) p",
    [live ? "1 hour" : "-1 minute"],
  );
  await pool.query(
    "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES ($1, 'orders', 'relay-1', 1, $2)",
    [randomUUID(), [id, "another"]],
  );
}

async function put(
  { pool, act }: Pick<OperatedOutbox, "act"> & { pool: Pool },
  layout: Layout,
  state: MessageState,
): Promise<string> {
  if (state === "archived") {
    const id = await layout.insert(pool, "published");
    await act("archive", id, { reason: "to be archived" });
    return id;
  }
  if (state === "dead" && !layout.tells.includes("dead")) {
    const id = await layout.insert(pool, "pending");
    await act("dead-letter", id, { reason: "to be dead" });
    return id;
  }
  if (state === "failed" && !layout.tells.includes("failed")) {
    const id = await layout.insert(pool, "pending");
    await fail(pool, id);
    return id;
  }
  return layout.insert(pool, state as "pending");
}
