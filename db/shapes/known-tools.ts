import type { CatalogTable } from "../stores/port/catalog.ts";
import { normalise } from "./vocabulary.ts";

interface KnownTool {
  tool: string;
  keeps:
    | "jobs"
    | "results of jobs"
    | "a schedule"
    | "deliveries"
    | "messages of queues"
    | "text messages"
    | "workflows"
    | "migrations"
    | "dead letters"
    | "its own records";
  schema?: RegExp;
  table: RegExp;
  /** Normalised columns that must all exist. */
  columns: readonly string[];
}

/** Tables of well-known tools that resemble an outbox or an inbox and are none. */
const KNOWN_TOOLS: readonly KnownTool[] = [
  { tool: "River", keeps: "jobs", table: /^river_/, columns: [] },
  { tool: "Oban", keeps: "jobs", table: /^oban_/, columns: [] },
  { tool: "graphile-worker", keeps: "jobs", schema: /^graphile_worker$/, table: /./, columns: [] },
  { tool: "pg-boss", keeps: "jobs", schema: /^pgboss/, table: /./, columns: [] },
  { tool: "pg-boss", keeps: "jobs", table: /^(job|archive)$/, columns: ["singletonkey", "startafter", "data"] },
  {
    tool: "Laravel",
    keeps: "jobs",
    table: /jobs$/,
    columns: ["queue", "payload", "attempts", "reservedat", "availableat"],
  },
  {
    tool: "Laravel",
    keeps: "jobs",
    table: /jobs$/,
    columns: ["connection", "queue", "payload", "exception", "failedat"],
  },
  { tool: "Laravel", keeps: "jobs", table: /^job_batches$/, columns: ["totaljobs", "pendingjobs"] },
  { tool: "pgmq", keeps: "messages of queues", schema: /^pgmq$/, table: /./, columns: [] },
  { tool: "pgmq", keeps: "messages of queues", table: /^[qa]_/, columns: ["msgid", "readct", "vt"] },
  { tool: "Hasura", keeps: "deliveries", table: /invocation_logs$/, columns: ["request", "response"] },
  {
    tool: "Hasura",
    keeps: "a schedule",
    schema: /^hdb_catalog$/,
    table: /^hdb_(cron|scheduled|metadata|schema|source|version|action)/,
    columns: [],
  },
  {
    tool: "Gammu SMSD",
    keeps: "text messages",
    table: /^(inbox|outbox|sentitems)$/i,
    columns: ["udh", "coding", "textdecoded"],
  },
  { tool: "delayed_job", keeps: "jobs", table: /jobs$/, columns: ["handler", "runat", "lockedat", "failedat"] },
  { tool: "GoodJob", keeps: "jobs", table: /^good_job/, columns: [] },
  { tool: "Solid Queue", keeps: "jobs", table: /^solid_queue_/, columns: [] },
  { tool: "que", keeps: "jobs", table: /^que_/, columns: [] },
  {
    tool: "Celery",
    keeps: "results of jobs",
    table: /^(celery_(task|group|result)|django_celery_(results|beat)|kombu_)/,
    columns: [],
  },
  {
    tool: "Magento",
    keeps: "messages of queues",
    table: /queue_(message|lock|poison_pill)(_status)?$/,
    columns: ["topicname", "body"],
  },
  { tool: "Quartz", keeps: "a schedule", table: /^qrtz_/i, columns: [] },
  { tool: "Hangfire", keeps: "jobs", schema: /^hangfire$/i, table: /./, columns: [] },
  { tool: "JobRunr", keeps: "jobs", table: /^jobrunr_/, columns: [] },
  { tool: "db-scheduler", keeps: "jobs", table: /^scheduled_tasks$/, columns: ["taskname", "taskinstance"] },
  { tool: "Procrastinate", keeps: "jobs", table: /^procrastinate_/, columns: [] },
  { tool: "PgQueuer", keeps: "jobs", table: /^pgqueuer/, columns: [] },
  { tool: "Apalis", keeps: "jobs", schema: /^apalis$/, table: /./, columns: [] },
  { tool: "neoq", keeps: "jobs", table: /^neoq_/, columns: [] },
  { tool: "Django Q", keeps: "jobs", table: /^django_q_/, columns: [] },
  { tool: "Huey", keeps: "jobs", table: /^huey_/, columns: [] },
  { tool: "RQ", keeps: "jobs", table: /^rq_/, columns: [] },
  { tool: "Sidekiq", keeps: "jobs", table: /^sidekiq_/, columns: [] },
  { tool: "Spring Batch", keeps: "jobs", table: /^batch_(job|step)_/i, columns: [] },
  { tool: "ShedLock", keeps: "a schedule", table: /^shedlock$/i, columns: [] },
  { tool: "Temporal", keeps: "workflows", schema: /^temporal/, table: /./, columns: [] },
  { tool: "Camunda", keeps: "workflows", table: /^act_(ru|hi|re|ge|id)_/i, columns: [] },
  { tool: "DBOS", keeps: "workflows", schema: /^dbos$/, table: /./, columns: [] },
  {
    tool: "Axon",
    keeps: "dead letters",
    table: /^dead_?letter_?entry$/i,
    columns: ["deadletterid", "processinggroup"],
  },
  {
    tool: "Spring Integration",
    keeps: "its own records",
    table: /^int_(metadata_store|message|message_group|group_to_message|channel_message|lock)$/i,
    columns: ["region"],
  },
  { tool: "Flyway", keeps: "migrations", table: /^flyway_schema_history$/, columns: [] },
];

const WHY: Record<KnownTool["keeps"], string> = {
  jobs: "its rows are jobs that a worker runs, not events that a relay publishes",
  "results of jobs": "its rows are results of jobs, not events that a relay publishes",
  "a schedule": "its rows are a schedule, not events that a relay publishes",
  deliveries: "its rows are a log of calls that were made, not events that wait",
  "messages of queues": "consumers read this queue themselves; no relay publishes its rows",
  "text messages": "its rows are text messages to and from phones, not events that a relay publishes",
  workflows: "its rows are the state of workflows, not events that a relay publishes",
  "dead letters": "its rows are events that a processor could not handle, which Axon tries again itself",
  "its own records":
    "its rows are keys, locks and messages within one program, not events that a relay publishes or an inbox of messages by id",
  migrations: "its rows are migrations of the schema",
};

/** The tool whose table this is, and why the table is left alone; null if none is known. */
export function knownToolOf(table: CatalogTable): { tool: string; why: string } | null {
  const columns = new Set(table.columns.map(({ name }) => normalise(name)));
  const found = KNOWN_TOOLS.find(
    (known) =>
      (known.schema?.test(table.schema) ?? true) &&
      known.table.test(table.name) &&
      known.columns.every((column) => columns.has(column)),
  );
  return found ? { tool: found.tool, why: WHY[found.keeps] } : null;
}
