import type { LibraryTable, OutboxOfLibrary } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

const LIBRARY = "SAP CAP's event queue";
const SOURCE = "cds.outbox.Messages as deployed to Postgres; the documentation of event queues in CAP";
const NAME = /cdsoutboxmessages/;
const REQUIRED = ["id", "timestamp", "target", "msg", "attempts", "partition", "lastattempttimestamp"];
const MAX_ATTEMPTS = 10;

const COLUMNS = {
  id: "id",
  payload: "msg",
  eventType: "target",
  topic: "target",
  createdAt: "timestamp",
  attempts: "attempts",
  lastError: "lasterror",
} satisfies OutboxOfLibrary["columns"];

const STATES = {
  dead: { column: "attempts", atLeast: MAX_ATTEMPTS },
  waiting: {
    all: [{ column: "attempts", is: "set" }, { not: { column: "attempts", atLeast: MAX_ATTEMPTS } }],
  },
} as const;

const TRAPS = [
  "A message is dead after 10 attempts, the default of CAP for Java and of CDS 10; CDS up to 9 has 20, and each service may configure another number (maxAttempts). A higher number revives every older dead message.",
  "A message that was sent is deleted.",
];

const RETRIED = [
  { column: "attempts", to: { number: 0 } },
  { column: "lasterror", to: "null" },
] as const;

const DUE = "Due, with no attempts counted: the application takes it at its next run.";

export const sapCap: LibraryTable = {
  slug: "sap-cap",
  library: LIBRARY,
  source: SOURCE,
  name: NAME,
  required: [...REQUIRED, "status"],
  optional: ["lasterror", "task", "appid"],
  kind: {
    role: "outbox",
    columns: COLUMNS,
    lifecycle: {
      kind: "rules",
      shown: "status",
      states: {
        ...STATES,
        claim: {
          marked: { column: "status", in: ["processing"] },
          ends: { column: "lastattempttimestamp", plusSeconds: 3600, nullIsEndless: true },
        },
      },
      verbs: {
        retry: { set: [...RETRIED, { column: "status", to: "null" }], does: DUE },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [...TRAPS, "A claim ends after one hour, CAP's default (timeout); no row says it."],
  },
};

/** Models before the status was added. */
export const sapCapWithoutStatus: LibraryTable = {
  slug: "sap-cap-8",
  library: LIBRARY,
  source: SOURCE,
  name: NAME,
  required: REQUIRED,
  optional: ["lasterror"],
  forbidden: ["status"],
  kind: {
    role: "outbox",
    columns: COLUMNS,
    lifecycle: {
      kind: "rules",
      states: STATES,
      verbs: { retry: { set: RETRIED, does: DUE }, "dead-letter": MOVED_OUT },
    },
    traps: TRAPS,
  },
};
