import type { Pool, PoolClient } from "pg";
import { POOL_SIZES } from "#db/stores/port/pool-sizes.ts";
import { ping } from "../stores/postgres/connection/ping.ts";
import { createPool } from "../stores/postgres/connection/pool.ts";
import { asking } from "../stores/postgres/connection/to-store-error.ts";
import { withWriteTransaction } from "../stores/postgres/connection/transaction.ts";
import { deleteOldAlerts, dueAlerts, listAlerts, observeAlert, queueAlert, settleAlert } from "./alerts.ts";
import { deleteOldDeploys, insertDeploy, readDeploys } from "./deploys.ts";
import { deleteOldFindings, readOpenFindings, writeFindings } from "./findings.ts";
import { changeGroup, deleteOldGroups, readGroup, readGroupMarks } from "./groups.ts";
import { changeIncident, insertIncident, keepTimeline, readIncident, readIncidents } from "./incidents.ts";
import { deleteKnownTable, observeKnownTables, readKnownTables } from "./known-tables.ts";
import { listConsoleAudit } from "./list-audit.ts";
import {
  releaseMonitorLease,
  takeMonitorLease,
  tryMonitorLease,
  tryMonitorRows,
  tryMonitorTables,
} from "./monitor-lease.ts";
import { readMarks } from "./read-marks.ts";
import { readMonitorLease } from "./read-monitor-lease.ts";
import { latestRates, readSamples, watchingSince } from "./read-samples.ts";
import type { Records } from "./records.ts";
import { endSession, insertSession, listSessions, touchSession } from "./sessions.ts";
import { readSizes, writeSize } from "./sizes.ts";
import { readSpan } from "./timeline.ts";
import { insertToken, noteTokenUse, readTokens, readValidTokens, revokeToken } from "./tokens.ts";
import { deleteView, insertView, readViews, renameView } from "./views.ts";
import { writeConsoleAudit } from "./write-audit.ts";
import { deleteOldSamples, rollUpSamples, writeSample } from "./write-samples.ts";

/** Connects on the first query. */
export function openRecords(options: { url: string; applicationName: string }): Records {
  const pool = { ...options, readOnly: false, statementTimeoutMs: 5000 };
  const db = createPool({ ...pool, max: POOL_SIZES.records });
  const pings = createPool({ ...pool, max: POOL_SIZES.pings });
  return recordsOver(db, {
    ping: async () => void (await ping(pings)),
    close: async () => void (await Promise.all([db.end(), pings.end()])),
  });
}

/** Records over an existing pool, which `close` leaves open unless `own` closes it. */
export function recordsOver(db: Pool, own?: Pick<Records, "ping" | "close">): Records {
  const methods: Records = {
    ping: own?.ping ?? (async () => void (await ping(db))),
    close: own?.close ?? (async () => undefined),
    ...tableRecords(db),
    ...findingRecords(db),
    ...sampleRecords(db),
    ...sessionRecords(db),
    ...alertRecords(db),
    ...tokenRecords(db),
    ...viewRecords(db),
    ...groupRecords(db),
    ...deployRecords(db),
    ...incidentRecords(db),
    writeSize: (outbox, bytes) => writeSize(db, outbox, bytes),
    sizes: (outbox, days) => readSizes(db, outbox, days),
    monitorLease: () => readMonitorLease(db),
    tryMonitorLease: () => tryMonitorLease(db),
    tryMonitorTables: () => tryMonitorTables(db),
    tryMonitorRows: () => tryMonitorRows(db),
    takeMonitorLease: (owner, leaseMs) => takeMonitorLease(db, owner, leaseMs),
    releaseMonitorLease: (owner) => releaseMonitorLease(db, owner),
  };
  return inPortWords(methods);
}

function tableRecords(
  db: Pool,
): Pick<Records, "knownTables" | "observeTables" | "forgetTable" | "recordAct" | "audit"> {
  return {
    knownTables: () => readKnownTables(db),
    observeTables: (tables) => observeKnownTables(db, tables),
    forgetTable: (table, audit) =>
      withWriteTransaction(db, async (client) => {
        await deleteKnownTable(client, table);
        await writeConsoleAudit(client, audit);
      }),
    recordAct: (audit, act) =>
      withWriteTransaction(db, async (client) => {
        await writeConsoleAudit(client, audit);
        await act();
      }),
    audit: (input) => listConsoleAudit(db, input),
  };
}

function findingRecords(db: Pool): Pick<Records, "keepFindings" | "openFindings" | "deleteOldFindings" | "marks"> {
  return {
    keepFindings: (found) => withWriteTransaction(db, (client) => writeFindings(client, found)),
    openFindings: (outbox) => readOpenFindings(db, outbox),
    deleteOldFindings: (keepDays, batch) => deleteOldFindings(db, keepDays, batch),
    marks: (range) => readMarks(db, range),
  };
}

type SampleRecords = Pick<
  Records,
  "samples" | "watchingSince" | "latestRates" | "writeSample" | "rollUpSamples" | "deleteOldSamples"
>;

function sampleRecords(db: Pool): SampleRecords {
  return {
    samples: (input) => readSamples(db, input),
    watchingSince: (outbox) => watchingSince(db, outbox),
    latestRates: (outbox, age) => latestRates(db, outbox, age),
    writeSample: (outbox, stepSeconds, sample) => writeSample(db, outbox, stepSeconds, sample),
    rollUpSamples: (steps) => rollUpSamples(db, steps),
    deleteOldSamples: (input) => deleteOldSamples(db, input),
  };
}

function sessionRecords(db: Pool): Pick<Records, "insertSession" | "touchSession" | "endSession" | "sessions"> {
  return {
    insertSession: (session, audit) =>
      withWriteTransaction(db, async (client) => {
        await insertSession(client, session);
        await writeConsoleAudit(client, audit);
      }),
    touchSession: (id) => touchSession(db, id),
    endSession: (input, audit) =>
      withWriteTransaction(db, async (client) => {
        const ended = await endSession(client, input);
        if (ended) await writeConsoleAudit(client, audit(ended));
        return ended !== null;
      }),
    sessions: (limit) => listSessions(db, limit),
  };
}

function alertRecords(
  db: Pool,
): Pick<Records, "observeAlert" | "queueAlert" | "dueAlerts" | "settleAlert" | "alerts" | "deleteOldAlerts"> {
  return {
    observeAlert: (now) => observeAlert(db, now),
    queueAlert: (alert) => queueAlert(db, alert),
    dueAlerts: (ofEachWebhook) => dueAlerts(db, ofEachWebhook),
    settleAlert: (id, outcome) => settleAlert(db, id, outcome),
    alerts: (input) => listAlerts(db, input),
    deleteOldAlerts: (keepDays) => deleteOldAlerts(db, keepDays),
  };
}

function tokenRecords(db: Pool): Pick<Records, "tokens" | "addToken" | "revokeToken" | "validTokens" | "noteTokenUse"> {
  return {
    tokens: (limit) => readTokens(db, limit),
    addToken: (token, most, audit) =>
      withWriteTransaction(db, async (client) => {
        const added = await insertToken(client, token, most);
        if (added) await writeConsoleAudit(client, audit);
        return added;
      }),
    revokeToken: (input, audit) =>
      withWriteTransaction(db, async (client) => {
        const name = await revokeToken(client, input);
        if (name !== null) await writeConsoleAudit(client, { ...audit, detail: name });
        return name !== null;
      }),
    validTokens: () => readValidTokens(db),
    noteTokenUse: (input) => noteTokenUse(db, input),
  };
}

function viewRecords(db: Pool): Pick<Records, "views" | "saveView" | "renameView" | "deleteView"> {
  return {
    views: (outbox) => readViews(db, outbox),
    saveView: (view, most, audit) =>
      withWriteTransaction(db, async (client) => {
        const saved = await insertView(client, view, most);
        if (saved) await writeConsoleAudit(client, audit);
        return saved;
      }),
    renameView: (view, audit) =>
      withWriteTransaction(db, async (client) => {
        const old = await renameView(client, view);
        if (old !== null) await writeConsoleAudit(client, { ...audit, detail: `${old} → ${view.name}` });
        return old !== null;
      }),
    deleteView: (view, audit) =>
      withWriteTransaction(db, async (client) => {
        const name = await deleteView(client, view);
        if (name !== null) await writeConsoleAudit(client, { ...audit, detail: name });
        return name !== null;
      }),
  };
}

function groupRecords(db: Pool): Pick<Records, "groupMarks" | "group" | "changeGroup" | "deleteOldGroups"> {
  return {
    groupMarks: (outbox) => readGroupMarks(db, outbox),
    group: (key) => readGroup(db, key),
    changeGroup: (key, change, audit) =>
      changedOrNot(db, async (client) => {
        const done = await changeGroup(client, { ...key, actor: audit.actor.name }, change);
        if (done) await writeConsoleAudit(client, audit);
        return done;
      }),
    deleteOldGroups: (keepDays) => deleteOldGroups(db, keepDays),
  };
}

function deployRecords(db: Pool): Pick<Records, "addDeploy" | "deploys" | "deleteOldDeploys"> {
  return {
    addDeploy: (row, audit) =>
      withWriteTransaction(db, async (client) => {
        const added = await insertDeploy(client, row);
        if (!added.repeated) await writeConsoleAudit(client, audit);
        return added;
      }),
    deploys: (filter) => readDeploys(db, filter),
    deleteOldDeploys: (keepDays, keepMost) => deleteOldDeploys(db, keepDays, keepMost),
  };
}

function incidentRecords(
  db: Pool,
): Pick<Records, "incidents" | "incident" | "openIncident" | "changeIncident" | "keepTimeline" | "span"> {
  return {
    incidents: (input) => readIncidents(db, input),
    incident: (id) => readIncident(db, id),
    openIncident: (row, audit) =>
      withWriteTransaction(db, async (client) => {
        const answer = await insertIncident(client, row);
        if (answer.opened)
          await writeConsoleAudit(client, { ...audit, detail: `Incident ${answer.row.id}: ${answer.row.title}` });
        return answer;
      }),
    changeIncident: (id, change, audit) =>
      changedOrNot(db, async (client) => {
        const done = await changeIncident(client, { id, actor: audit.actor.name }, change);
        if (done) await writeConsoleAudit(client, audit);
        return done;
      }),
    keepTimeline: (id, kept) => keepTimeline(db, id, kept),
    span: (span) => readSpan(db, span),
  };
}

const UNCHANGED = Symbol("unchanged");

/** Commits if `work` resolves to true; rolls back if to false. */
async function changedOrNot(db: Pool, work: (client: PoolClient) => Promise<boolean>): Promise<boolean> {
  try {
    return await withWriteTransaction(db, async (client) => {
      if (await work(client)) return true;
      throw UNCHANGED;
    });
  } catch (error) {
    if (error === UNCHANGED) return false;
    throw error;
  }
}

type Ask = (...args: never[]) => Promise<unknown>;

/** Wraps every method so that it throws StoreError. */
function inPortWords(records: Records): Records {
  const worded = Object.entries(records as unknown as Record<string, Ask>).map(([name, ask]) => [
    name,
    (...args: never[]) => asking("the console", () => ask(...args)),
  ]);
  return Object.fromEntries(worded) as Records;
}
