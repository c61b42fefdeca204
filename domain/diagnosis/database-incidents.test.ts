import { expect, test } from "vitest";
import { expectCauseFirst, type Incident } from "./incident.fixture.ts";
import { ago, HOLDER, judged, RELAY, relays, SLOT, waits } from "./situation.fixture.ts";

const PREPARED_HOLDER = {
  ...HOLDER,
  ...{ pid: null, preparedId: "bank-42", applicationName: null, state: "prepared", query: null },
  endStatement: "ROLLBACK PREPARED 'bank-42'",
};
const PREPARED = {
  ...{ pid: null, preparedId: "bank-42", endStatement: "ROLLBACK PREPARED 'bank-42'", user: "report" },
  ...{ applicationName: null, state: "prepared", transactionAt: ago(90), query: null, holdsBackNewRows: true },
};

/** What other sessions, slots and missing indexes do to the table. */
const INCIDENTS: Incident[] = [
  [
    "rows locked by a foreign session",
    { figures: waits(9, 20), facts: { lockHolders: [HOLDER] } },
    "locked",
    "in_part",
    "warn",
    /^billing-report \(pid 77\) holds 3 waiting rows locked since 02:58:30 UTC; 9 wait$/,
  ],
  [
    "rows locked by a prepared transaction that was left over",
    { figures: waits(9, 20), facts: { lockHolders: [PREPARED_HOLDER], oldTransactions: [PREPARED] } },
    "locked",
    "in_part",
    "warn",
    /^the prepared transaction bank-42 holds 3 waiting rows locked since 02:58:30 UTC; 9 wait$/,
  ],
  [
    "rows are locked in a backlog longer than the 10,000 that are looked at",
    { figures: waits(50_000, 20, { waitingCapped: true }), facts: { lockHolders: [{ ...HOLDER, rows: 10_000 }] } },
    "locked",
    "in_part",
    "warn",
    /^billing-report \(pid 77\) holds at least 10,000 waiting rows locked since 02:58:30 UTC; at least 50,000 wait$/,
  ],
  [
    "rows locked so that producers stand still, while nothing waits",
    { facts: { lockHolders: [{ ...HOLDER, rows: 0, blockedPids: [81, 82] }] } },
    "locked",
    "at_risk",
    "warn",
    /^billing-report \(pid 77\) holds rows of the outbox locked since 02:58:30 UTC; 2 sessions wait for it$/,
  ],
  [
    "the whole table locked",
    { figures: waits(9, 400), facts: { lockHolders: [{ ...HOLDER, wholeTable: true }] } },
    "locked",
    "not_delivering",
    "fail",
    /^billing-report \(pid 77\) holds the whole outbox table locked since/,
  ],
  [
    "a migration queued behind a reader",
    {
      figures: waits(9, 400),
      facts: { lockHolders: [{ ...HOLDER, wholeTable: true, queuedSessions: ["add-column (pid 9)"] }] },
    },
    "locked",
    "not_delivering",
    "fail",
    /^add-column \(pid 9\) waits for a lock on the whole outbox table, and every other session queues behind it, because billing-report \(pid 77\) has a transaction open since 02:58:30/,
  ],
  [
    "two migrations queued behind a reader",
    {
      figures: waits(9, 400),
      facts: {
        lockHolders: [{ ...HOLDER, wholeTable: true, queuedSessions: ["add-column (pid 9)", "add-index (pid 8)"] }],
      },
    },
    "locked",
    "not_delivering",
    "fail",
    /^add-column \(pid 9\) and add-index \(pid 8\) wait for a lock on the whole outbox table, and every other session queues behind them, because/,
  ],
  [
    "a database that takes no writes, where no relay can say that it is alive",
    {
      figures: waits(9, 400),
      facts: {
        relays: relays({ heartbeatAt: ago(300) }),
        readOnly: { reason: "the server is a standby", tried: false, leased: false, everywhere: true },
        monitor: { alive: false, lastSeenAt: ago(300), problem: null },
      },
    },
    "read_only",
    "not_delivering",
    "fail",
    /^the database takes no writes \(the server is a standby\) since 02:55:00 UTC; 9 wait$/,
  ],
  [
    "a full disk, on which the relay cannot write that it is alive",
    {
      figures: waits(9, 60),
      facts: {
        relays: relays({ heartbeatAt: ago(5) }),
        readOnly: {
          reason: 'could not extend file "base/5/16405": No space left on device',
          tried: true,
          leased: false,
          everywhere: true,
        },
      },
    },
    "read_only",
    "not_delivering",
    "fail",
    /^the database takes no writes \(could not extend file "base\/5\/16405": No space left on device\) since 02:59:55 UTC; 9 wait$/,
  ],
  [
    "a server that lets nobody in, where a relay that runs cannot connect",
    {
      figures: waits(9, 60),
      facts: {
        relays: relays({ heartbeatAt: ago(20) }),
        readOnly: {
          reason: "no connection is left",
          remedy: "The server of outbox orders has no connection left (max_connections).",
          refusesConnections: true,
          tried: true,
          leased: false,
          everywhere: true,
        },
      },
    },
    "read_only",
    "not_delivering",
    "fail",
    /^the database refuses new connections \(no connection is left\) since 02:59:40 UTC; 9 wait$/,
  ],
  [
    "a relay whose heartbeat alone is refused",
    {
      figures: waits(9, 60),
      facts: {
        relays: relays({ heartbeatAt: ago(50) }),
        readOnly: {
          reason: "permission denied for table relay_instance",
          tried: true,
          leased: true,
          everywhere: false,
        },
      },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due since [^;]+; 9 wait; whether anything goes out is not known$/,
  ],
  [
    "a full disk, on which the lease is renewed and the heartbeat and the marks are refused",
    {
      figures: { ...waits(9, 60), outPerSecond: 0 },
      facts: {
        relays: relays({ heartbeatAt: ago(20) }),
        readOnly: { reason: "No space left on device", tried: true, leased: true, everywhere: true },
      },
    },
    "read_only",
    "not_delivering",
    "fail",
    /^the database refuses writes \(No space left on device\) since [^;]+; 9 wait$/,
  ],
  [
    "a full disk, on which a relay that renews its lease still drains",
    {
      figures: { ...waits(9, 60), waitingBefore: 40 },
      facts: {
        relays: relays({ heartbeatAt: ago(20) }),
        readOnly: { reason: "No space left on device", tried: true, leased: true, everywhere: true },
      },
    },
    "overdue",
    "late",
    "warn",
    /^the oldest message has been due/,
  ],
  [
    "our slot holds log",
    { facts: { relays: relays({ stream: SLOT }) } },
    "slot_lag",
    "at_risk",
    "warn",
    /^the server keeps 1300 MB of log for the slot orders_slot since/,
  ],
  [
    "our relay's publication was changed, so the log is not read",
    {
      facts: {
        relays: relays({
          stream: { ...SLOT, lagBytes: 20_000, problem: "The publication orders does not cover public.outbox_events." },
        }),
      },
    },
    "slot_lag",
    "at_risk",
    "warn",
    /^the publication orders does not cover public\.outbox_events since .+; the log is not read$/,
  ],
  [
    "our slot was dropped",
    { facts: { relays: relays({ stream: { ...SLOT, lagBytes: null } }) } },
    "slot_lag",
    "at_risk",
    "fail",
    /^the replication slot orders_slot is gone since/,
  ],
  [
    "our slot was lost, and no row says what was sent",
    {
      settings: { byLog: true },
      facts: { relays: relays({ stream: { ...SLOT, lagBytes: null, walStatus: "lost" } }) },
    },
    "slot_lag",
    "not_delivering",
    "fail",
    /^the replication slot orders_slot is gone since/,
  ],
  [
    "our log is not read, and no row says what was sent",
    {
      settings: { byLog: true },
      facts: { relays: relays({ stream: { ...SLOT, lagBytes: 20_000, problem: "The publication orders is gone." } }) },
    },
    "slot_lag",
    "not_delivering",
    "fail",
    /^the publication orders is gone since .+; the log is not read$/,
  ],
  [
    "someone else's slot holds log",
    {
      facts: {
        foreignSlots: [
          { slot: "dbz", dropStatement: "SELECT drop_slot()", active: false, lagBytes: 2e9, walStatus: "extended" },
        ],
      },
    },
    "slot_lag",
    "at_risk",
    "warn",
    /^the server keeps 2000 MB of log for the slot dbz since/,
  ],
  [
    "an old idle transaction",
    {
      facts: {
        oldTransactions: [
          { ...HOLDER, preparedId: null, transactionAt: ago(3_700), holdsBackNewRows: false, applicationName: "bi" },
        ],
      },
    },
    "old_transaction",
    "at_risk",
    "warn",
    /^bi \(pid 77\) has a transaction open and idle since 01:58:20 UTC; it holds back the removal of old rows$/,
  ],
  [
    "polls that read the whole table",
    { facts: { relayScans: { index: null, dead: null, deadCapped: false, tableBytes: 2e9, sql: "CREATE INDEX …" } } },
    "relay_scans",
    "at_risk",
    "warn",
    /^no index serves the relay's claim, and every poll reads the whole table$/,
  ],
];

test.each(INCIDENTS)("%s", expectCauseFirst);

test("an index whose build failed is said to be unusable, and is to be dropped first", () => {
  const scans = { index: null, dead: null, deadCapped: false, tableBytes: 2e9, sql: "CREATE INDEX …" };
  const { causes } = judged({ facts: { relayScans: { ...scans, invalid: ["orders_waiting"] } } });
  expect(causes[0]?.diagnosis).toMatch(/No statement may use orders_waiting: its build has failed or still runs\.$/);
  expect(causes[0]?.nextStep).toMatch(/left behind \(orders_waiting\).*CREATE INDEX …$/);
});

test("ending a transaction that has written is said to undo its own messages", () => {
  const OLD = {
    ...{
      pid: 77,
      preparedId: null,
      endStatement: "SELECT end_session(77)",
      user: "etl",
      applicationName: "bulk-import",
    },
    ...{ state: "idle in transaction", transactionAt: ago(90), query: null },
  };
  const nextStep = (holdsBackNewRows: boolean) =>
    judged({ facts: { oldTransactions: [{ ...OLD, holdsBackNewRows }] } }).causes[0]?.nextStep;
  expect(nextStep(true)).toMatch(
    /What it has written is undone, its own messages included; no committed message is lost\.$/,
  );
  expect(nextStep(false)).toMatch(/rolls it back\. No committed message is lost\.$/);
});

test("a prepared transaction that holds rows is one cause, and the step ends no session", () => {
  const { causes } = judged({
    figures: waits(9, 20),
    facts: { lockHolders: [PREPARED_HOLDER], oldTransactions: [PREPARED] },
  });
  expect(causes.map(({ rule }) => rule)).toEqual(["locked"]);
  expect(causes[0]?.diagnosis).toMatch(/^The prepared transaction bank-42, which belongs to no session, has locked 3 /);
  expect(causes[0]?.nextStep).toMatch(/transaction manager.*, and `ROLLBACK PREPARED 'bank-42'` where they have not: /);
});

test.each([
  ["that holds rows", { lockHolders: [PREPARED_HOLDER] }],
  ["that is old", { oldTransactions: [PREPARED] }],
])("a prepared transaction %s is not rolled back where its other databases have committed theirs", (_, facts) => {
  const [cause] = judged({ facts }).causes;
  expect(cause?.nextStep).toMatch(
    /`COMMIT PREPARED 'bank-42'` ends .* where its other databases have committed theirs/,
  );
});

test("a prepared transaction of which only a number is known says where its name is found", () => {
  const unnamed = {
    ...{ preparedId: "number 1936", endStatement: "XA ROLLBACK …", namesStatement: "XA RECOVER CONVERT XID" },
  };
  const [held] = judged({ facts: { lockHolders: [{ ...PREPARED_HOLDER, ...unnamed }] } }).causes;
  const [old] = judged({ facts: { oldTransactions: [{ ...PREPARED, ...unnamed }] } }).causes;
  const step =
    /gone permanently, find its name with `XA RECOVER CONVERT XID`\. With that name `XA COMMIT …` ends .* `XA ROLLBACK …` where/;
  expect([held?.nextStep, old?.nextStep]).toEqual([expect.stringMatching(step), expect.stringMatching(step)]);
});

test("a session whose lock outlives its transactions is not told to commit", () => {
  const locked = { ...HOLDER, wholeTable: true, unlockStatement: "UNLOCK TABLES" };
  const [cause] = judged({ facts: { lockHolders: [locked] } }).causes;
  expect(cause?.diagnosis).toMatch(/has locked the whole outbox table for at least 1 m 30 s and is idle now\. /);
  expect(cause?.nextStep).toMatch(/^Ask the owner of billing-report to run `UNLOCK TABLES`\. If nobody answers, /);
});

test("a slot that is gone and a log that is not read are two causes, since each has its own start", () => {
  const keyOf = (stream: Partial<typeof SLOT> & { problem?: string }) =>
    judged({ facts: { relays: relays({ stream: { ...SLOT, lagBytes: 20_000, ...stream } }) } }).causes.map(
      ({ key }) => key,
    );
  const [gone, unread] = [keyOf({ lagBytes: null }), keyOf({ problem: "There is no replication slot orders_slot." })];
  expect(gone).toHaveLength(1);
  expect(unread).toHaveLength(1);
  expect(unread).not.toEqual(gone);
});

test("a slot of our own that no relay has reported is not called another program's", () => {
  const slot = {
    slot: "ours",
    dropStatement: "SELECT drop_slot()",
    active: false,
    lagBytes: 2e9,
    walStatus: "extended",
  };
  const told = (change: object, more: object = {}) =>
    judged({ facts: { foreignSlots: [{ ...slot, ...change }], ...more } }).causes.map(({ diagnosis }) => diagnosis);
  expect(told({})).toEqual([expect.stringMatching(/^The slot belongs to another program/)]);
  expect(told({ own: true })).toEqual([expect.stringMatching(/^It is the slot of this outbox/)]);
  expect(told({ own: true }, { relays: relays({ stream: { ...SLOT, lagBytes: 0 } }) })).toEqual([]);
});

test("where a lost slot is the only sign of what is to be sent, a worker is not said to repair it", () => {
  const stream = { ...SLOT, lagBytes: null, walStatus: "lost" };
  const stopped = { state: "stopped", heartbeatAt: ago(60), lastPublishedAt: ago(70), stream };
  const anew = { startedAt: ago(70), stream: null, lastPublishedAt: null };
  const steps = (byLog: boolean) =>
    judged({
      settings: { byLog },
      facts: {
        relays: relays(
          {},
          {
            instances: [
              { ...RELAY, ...stopped, ...anew },
              { ...RELAY, ...stopped },
            ],
          },
        ),
      },
    })
      .causes.map(({ nextStep }) => nextStep)
      .join("\n");
  expect(steps(true)).toMatch(/publishes nothing until the log can be read/);
  expect(steps(true)).toMatch(/insert again, as new rows, what was committed between the last publish/);
  expect(steps(false)).toMatch(/Starting one is safe/);
  expect(steps(false)).not.toMatch(/insert again/);
});
