import { type StatedTable, stated } from "../../../states/stated-table.ts";

interface Team {
  columns: string;
  names: string;
  roles: string;
  rows: readonly string[];
  states: string;
}

function team({ columns, names, roles, rows, states }: Team): StatedTable {
  const values = rows.map((row, n) => `('e${n + 1}','a',${row})`).join(",");
  return stated(
    `CREATE TABLE inbox_messages (message_id text PRIMARY KEY, event_type text NOT NULL, payload jsonb, received_at timestamptz NOT NULL DEFAULT now(), ${columns})`,
    `messageId=message_id eventType=event_type payload?=payload receivedAt=received_at ${roles}`,
    `INSERT INTO inbox_messages (message_id,event_type,${names}) VALUES ${values}`,
    states,
  );
}

/** A flag beside a status that calls the row received. */
const besideStatus = (flag: string) =>
  team({
    columns: `status text NOT NULL DEFAULT 'RECEIVED', ${flag} boolean NOT NULL DEFAULT false`,
    names: `status,${flag}`,
    roles: "status=status",
    rows: ["'RECEIVED',false", "'PROCESSED',false", "'RECEIVED',true", "'FAILED',true"],
    states: "e1 pending, e2 published, e3 failed|unknown, e4 failed",
  });

/** Inboxes in which another column denies what the status says, or asks for a processed row once more. */
export const INBOXES_DENIED_AND_REPEATED: readonly StatedTable[] = [
  ...["dead", "skipped", "duplicate", "quarantined"].map(besideStatus),
  team({
    columns: "status text NOT NULL DEFAULT 'NEW', success boolean NOT NULL DEFAULT false",
    names: "status,success",
    roles: "status=status",
    rows: ["'NEW',false", "'DONE',true", "'DONE',false"],
    states: "e1 pending, e2 published, e3 failed|unknown",
  }),
  team({
    columns: "status text NOT NULL DEFAULT 'NEW', replay_requested boolean NOT NULL DEFAULT false",
    names: "status,replay_requested",
    roles: "status=status",
    rows: ["'NEW',false", "'PROCESSED',false", "'PROCESSED',true"],
    states: "e1 pending, e2 published, e3 pending|unknown",
  }),
  team({
    columns: "processed_at timestamptz, reprocess boolean NOT NULL DEFAULT false",
    names: "processed_at,reprocess",
    roles: "processedAt=processed_at",
    rows: ["NULL,false", "now(),false", "now(),true"],
    states: "e1 pending, e2 published, e3 pending|unknown",
  }),
  team({
    columns: "processed_at timestamptz, replay_requested_at timestamptz",
    names: "processed_at,replay_requested_at",
    roles: "processedAt=processed_at",
    rows: ["NULL,NULL", "now(),now()-interval '1 hour'", "now()-interval '1 hour',now()"],
    states: "e1 pending, e2 published, e3 pending|unknown",
  }),
];
