import type { Incident } from "../../incident.ts";
import type { Scene } from "../../scene.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";
import { APP_ACCOUNT } from "../../world/stores/postgres-incident-store.ts";

const CARTS = outboxSpec("carts", RELAYED);
const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${APP_ACCOUNT}'`;

interface Act {
  does: string[];
  undoes: string[];
  stages: Incident["stages"];
  /** False where producers cannot write either. */
  events?: false;
}

/** Something that an administrator did to the account of console and relay, or to what it may do, and its reversal. */
function account(name: string, incident: Act): Incident {
  const run = async (scene: Scene, statements: readonly string[]) => {
    for (const statement of statements) await scene.store.run(statement);
  };
  return {
    name,
    stack: "accounts",
    outboxes: [CARTS],
    produce: async (scene) => {
      await run(scene, incident.does);
      await scene.begin();
      if (incident.events !== false) await scene.writeMany(6, "cart.checked_out", 6);
    },
    stages: incident.stages,
    mend: (scene) => run(scene, incident.undoes),
  };
}

/** The account may only read the table. */
export const grantsRevoked = account("grants-revoked", {
  does: [`REVOKE INSERT, UPDATE, DELETE ON ${CARTS.table} FROM ${APP_ACCOUNT}`],
  undoes: [`GRANT INSERT, UPDATE, DELETE ON ${CARTS.table} TO ${APP_ACCOUNT}`],
  stages: [{ word: "not_delivering", rule: "no_progress", cause: [/permission denied/], steadyReadings: 3 }],
});

/** The account may not even read the table. */
export const tableForbidden = account("table-forbidden", {
  does: [`REVOKE ALL ON ${CARTS.table} FROM ${APP_ACCOUNT}`],
  undoes: [`GRANT SELECT, INSERT, UPDATE, DELETE ON ${CARTS.table} TO ${APP_ACCOUNT}`],
  stages: [
    { word: "unknown", cause: [/permission denied for table outbox_carts/], steadyReadings: 3, unreadable: true },
  ],
});

/** After a failover that nobody noticed, the address leads to a server that takes no writes. */
export const databaseReadOnly = account("database-read-only", {
  does: [`ALTER ROLE ${APP_ACCOUNT} SET default_transaction_read_only = on`, END_SESSIONS],
  undoes: [`ALTER ROLE ${APP_ACCOUNT} RESET default_transaction_read_only`, END_SESSIONS],
  stages: [{ word: "not_delivering", rule: "read_only", cause: [/takes no writes/, /\b6 wait/], steadyReadings: 3 }],
});

/** The password was rotated, and the configuration has the old one. */
export const passwordRotated = account("password-rotated", {
  does: [`ALTER ROLE ${APP_ACCOUNT} PASSWORD 'rotated'`, END_SESSIONS],
  undoes: [`ALTER ROLE ${APP_ACCOUNT} PASSWORD 'incidents'`],
  stages: [{ word: "unknown", status: "fail", cause: [/password/], steadyReadings: 3, unreadable: true }],
});

/** Other programs of the account have taken all of its connections. */
export const connectionsRefused = account("connections-refused", {
  does: [`ALTER ROLE ${APP_ACCOUNT} CONNECTION LIMIT 0`, END_SESSIONS],
  undoes: [`ALTER ROLE ${APP_ACCOUNT} CONNECTION LIMIT -1`],
  stages: [
    {
      word: "unknown",
      status: "fail",
      cause: [/no connection left for this user/],
      steadyReadings: 3,
      unreadable: true,
    },
  ],
});

const TRIGGER = `CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'could not extend file "base/5/16405": No space left on device' USING ERRCODE = 'disk_full'; END $$;
  CREATE TRIGGER no_space BEFORE UPDATE ON ${CARTS.table} FOR EACH ROW EXECUTE FUNCTION no_space()`;

/** The disk of the table is full: what is published cannot be marked. */
export const diskFull = account("disk-full", {
  does: [TRIGGER],
  undoes: [`DROP TRIGGER no_space ON ${CARTS.table}`, "DROP FUNCTION no_space"],
  stages: [{ word: "not_delivering", rule: "no_progress", cause: [/No space left/], steadyReadings: 3 }],
});

const OWN_DISK = ["relay_instance", "lease"].map(
  (table) =>
    `CREATE TRIGGER no_space BEFORE UPDATE ON outbox_console.${table} FOR EACH ROW EXECUTE FUNCTION no_space()`,
);

/** The disk of the whole database is full: a relay that runs cannot even say so. */
export const databaseFull = account("database-full", {
  does: [TRIGGER, ...OWN_DISK],
  undoes: ["DROP FUNCTION no_space CASCADE"],
  stages: [
    { word: "not_delivering", rule: "read_only", cause: [/takes no writes .*No space left/], steadyReadings: 3 },
  ],
});

/** A policy that the console does not know of hides all rows, which raises no error. */
export const rowsHidden = account("rows-hidden", {
  does: [`ALTER TABLE ${CARTS.table} ENABLE ROW LEVEL SECURITY`],
  undoes: [`ALTER TABLE ${CARTS.table} DISABLE ROW LEVEL SECURITY`],
  stages: [
    { word: "not_delivering", cause: [/Row level security keeps rows of public\.outbox_carts/], unreadable: true },
  ],
});

const ONE_REFUSED = `CREATE FUNCTION one_refused() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  RAISE EXCEPTION 'this cart is immutable'; END $$;
  CREATE TRIGGER one_refused BEFORE UPDATE ON ${CARTS.table} FOR EACH ROW WHEN (NEW.aggregate_id = 'cart-0') EXECUTE FUNCTION one_refused()`;

/** A trigger refuses the mark of one row; the others are marked. */
export const oneMarkRefused = account("one-mark-refused", {
  does: [ONE_REFUSED],
  undoes: [`DROP TRIGGER one_refused ON ${CARTS.table}`, "DROP FUNCTION one_refused"],
  stages: [
    {
      word: "in_part",
      rule: "no_progress",
      cause: [/cannot mark some of what it has published/, /this cart is immutable/, /1 waits/],
      steadyReadings: 3,
    },
  ],
});

/** The table was renamed by a migration that came before the deployment that knows the new name. */
export const tableRenamed = account("table-renamed", {
  does: [`ALTER TABLE ${CARTS.table} RENAME TO renamed_carts`],
  undoes: [`ALTER TABLE renamed_carts RENAME TO ${CARTS.table}`],
  events: false,
  stages: [{ word: "not_delivering", steadyReadings: 3, unreadable: true }],
});

/** The relay may not access its own records. */
export const recordsForbidden = account("records-forbidden", {
  does: [`REVOKE ALL ON ALL TABLES IN SCHEMA outbox_console FROM ${APP_ACCOUNT}`],
  undoes: [`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA outbox_console TO ${APP_ACCOUNT}`],
  stages: [
    {
      word: "unknown",
      cause: [/permission denied for table (?!outbox_carts)\w+/],
      steadyReadings: 3,
      unreadable: true,
    },
  ],
});
