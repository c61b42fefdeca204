import { ourCommand } from "#domain/text/our-command.ts";
import { STORE_SILENT } from "../relay/unwritten-outcomes.ts";

/** What a person may do about a store that does not take a relay's claims or marks, by its reason. */
const REMEDIES: readonly [RegExp, string][] = [
  [
    /no space left|disk is full|disk full|table .* is full/i,
    "Free space on the disk of the database's server, or enlarge it.",
  ],
  [
    /too many (?:clients|connections)|connection slots|no more connections|query_wait_timeout|no connection left/i,
    `Free connections of the database, or allow more: its list of sessions (pg_stat_activity, SHOW PROCESSLIST) shows who holds them, and \`${ourCommand("doctor")}\` says how many are needed.`,
  ],
  [
    /wraparound|stop limit|not accepting commands/i,
    "End what keeps the server from removing old rows (old and prepared transactions, unused replication slots: pg_stat_activity, pg_prepared_xacts, pg_replication_slots), then run VACUUM in the database that the error names.",
  ],
  [
    /does not have a replica identity/i,
    "Give the table a replica identity (ALTER TABLE … REPLICA IDENTITY DEFAULT uses its primary key), or take it out of the publication that sends updates.",
  ],
  [
    /permission denied|must be owner|command denied|access denied/i,
    `Grant the relay's database user the permission that it lacks; \`${ourCommand("doctor")}\` prints the GRANT.`,
  ],
  [
    /\bviolates (?:unique|check|foreign key|not-null|exclusion) constraint|^Duplicate entry\b|^Check constraint\b|CONSTRAINT .* failed|foreign key constraint fails|cannot be null$/i,
    "Drop or change the constraint or unique index that the error names, or the column that it is about: marking a message as published changes its row, and the table refuses that. A migration may have added it.",
  ],
  [
    /DynamoDB throttles/,
    "Give the table and its index more capacity, or capacity on demand, or slow down what else uses them (CloudWatch: ThrottledRequests). One partition key takes some 1,000 writes a second whatever the capacity is.",
  ],
  [
    /AWS credentials .* expired/,
    "Renew the AWS credentials of worker and console. Those in environment variables are read at the start only; a profile or a role renews them by itself.",
  ],
  [/clock of this machine/, "Set the clock of the host that says so, and let it follow a time server."],
  [
    /secret key of the AWS credentials|does not know the AWS access key/,
    "Correct the AWS credentials of worker and console, and restart both.",
  ],
  [
    /AWS credentials do not allow/,
    `Add what is missing to the policy of the AWS role or user: \`${ourCommand("doctor")}\` prints the whole policy.`,
  ],
  [
    /^The index \S+, by which .* is read, does not exist/,
    "Create the index again with the same keys, or name another one in `waiting` of the family (outbox.yaml). No message is lost: those that wait keep the index's attribute.",
  ],
  [/^The index \S+, by which .* is still being built/, "Wait until DynamoDB has built the index."],
  [/^DynamoDB answered .* with an error/, "Look up the error in the relay's log, which has DynamoDB's words."],
  [/has no transactions/, "Change the table's engine back: ALTER TABLE … ENGINE = InnoDB."],
  [
    /lock (?:wait )?timeout/i,
    "Find the session that holds the lock (pg_locks, performance_schema.metadata_locks), and let its owner end its transaction.",
  ],
  [
    /statement timeout|execution time exceeded|max_statement_time/i,
    "Raise the time limit of the relay's database user (statement_timeout, max_execution_time, max_statement_time), or see why the statement takes so long: a trigger, a missing index, a busy server.",
  ],
  [
    /read-only transaction|--(?:super-)?read-only option/i,
    `Let the relay's database user write: after a failover, point the URL at the server that takes writes; otherwise find what makes its sessions read-only, which \`${ourCommand("doctor")}\` names.`,
  ],
  [
    /^relation ".*" does not exist|^Table '.*' doesn't exist/i,
    `If the table was dropped or renamed, rename it back or restore it from a backup; \`${ourCommand("migrate")}\` creates a table of the console's own that never existed.`,
  ],
  [
    new RegExp(`^${STORE_SILENT}`),
    "Check the network, and any pooler or firewall, between the worker's host and the database, and whether the database is overloaded.",
  ],
  // A connection that the server does not let in; its sentence names the change.
  [
    /\bthe database of (?:outbox|store) /i,
    "Change what the error names, on the database's server or in the store's URL in outbox.yaml, which worker and console read when they start.",
  ],
];
const REMOVE_REFUSAL =
  "Find what refuses the change: a trigger, a rule or row level security of the table, or a setting of the server. Repair or remove it.";

export function storeRemedy(reason: string): string {
  return REMEDIES.find(([words]) => words.test(reason))?.[1] ?? REMOVE_REFUSAL;
}
