import { z } from "zod";
import { COLUMN_ROLES } from "#db/outbox/mapping.ts";
import { MODES } from "#domain/operator.ts";
import { whyNoRouteTemplate } from "#domain/route-template.ts";
import { parseDurationMs } from "#domain/units.ts";

const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, - or _");

/** "60s", "5m", "7d"; read as milliseconds. */
const durationMs = z.string().transform((text, context) => {
  const ms = parseDurationMs(text);
  if (ms === undefined) {
    context.addIssue({ code: "custom", message: `"${text}" is not a duration such as 250ms, 60s, 5m, 2h or 7d` });
    return z.NEVER;
  }
  return ms;
});
const duration = (text: string) => durationMs.prefault(text);

const timeZone = z.string().refine((zone) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    // RangeError is how Intl says that it knows no such zone.
    return false;
  }
}, "is no time zone such as UTC or Europe/Berlin");

const passwordHash = z
  .string()
  .regex(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{16,}\$[\w-]{40,}$/, "is no hash made by `npm run hash-password`");

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL");

const storeSchema = z.strictObject({
  kind: z.literal("postgres", { error: "only `postgres` is supported by this version" }),
  url: postgresUrl,
  /** For reads only, never for health or guards. */
  readUrl: postgresUrl.optional(),
  /** A database without a pooler in between, for session features. */
  directUrl: postgresUrl.optional(),
  /** Schemas to look for tables in; default: all but the system's and ours. */
  schemas: z.array(z.string()).optional(),
});

const statusWords = z.array(z.string());
const lifecycleSchema = z.strictObject({
  kind: z.enum(["timestamp", "status", "flag", "delete"]),
  pending: statusWords.optional(),
  inFlight: statusWords.optional(),
  failed: statusWords.optional(),
  published: statusWords.optional(),
  dead: statusWords.optional(),
  expired: statusWords.optional(),
});

const thresholdsSchema = z.strictObject({
  oldestPending: z.strictObject({ warn: duration("60s"), fail: duration("5m") }).prefault({}),
  dead: z.strictObject({ warn: z.number().min(0).default(1), fail: z.number().min(0).default(100) }).prefault({}),
  failed: z
    .strictObject({ warn: z.number().min(0).default(100), fail: z.number().min(0).default(10_000) })
    .prefault({}),
});

/** A replication slot or publication as Postgres names them. */
const slotName = z.string().regex(/^[a-z0-9_]{1,63}$/, "must be lower-case letters, digits or _");

const cdcSchema = z.strictObject({
  /** Default: outbox_console_<outbox>. */
  slot: slotName.optional(),
  publication: slotName.optional(),
  mark: z.enum(["column", "delete", "none"]).default("column"),
});

/** `orders.{eventType:lower}`; what it names is looked up in each message. */
const template = z.string().superRefine((text, context) => {
  const problem = whyNoRouteTemplate(text);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const routeSchema = z.strictObject({
  preset: z.enum(["plain", "debezium", "cloudevents"]).default("plain"),
  /** Templates of roles, row headers and fields: "orders.{eventType:lower}". */
  topic: template.optional(),
  key: template.optional(),
  headers: z.record(z.string().min(1), template).default({}),
  /** More columns of the row, by the name that templates and headers use. */
  fields: z.record(z.string().regex(/^[A-Za-z][\w-]*$/, "must be a word"), z.string().min(1)).default({}),
  /** CloudEvents: how the event travels, and where it says that it comes from. */
  mode: z.enum(["binary", "structured", "batch"]).default("binary"),
  source: template.optional(),
});

export const relaySchema = z.strictObject({
  source: z.enum(["polling", "cdc"]).default("polling"),
  cdc: cdcSchema.prefault({}),
  /** A channel whose NOTIFY wakes an idle relay. */
  notify: z.string().min(1).max(63).optional(),
  sink: name,
  route: routeSchema.prefault({}),
  ordering: z.enum(["aggregate", "none"]).default("aggregate"),
  onFailure: z.enum(["block", "pass"]).default("block"),
  onDead: z.enum(["pass", "hold"]).default("pass"),
  maxAttempts: z.number().int().min(1).max(1000).default(10),
  retry: z
    .strictObject({ initial: duration("1s"), max: duration("10m") })
    .refine(({ initial, max }) => initial <= max, "initial must not be longer than max")
    .prefault({}),
  batchSize: z.number().int().min(1).max(10_000).default(1000),
  /** Messages in the hands of the sink at once, over all aggregates. */
  concurrency: z.number().int().min(1).max(1024).default(64),
  /** Shorter, and a pause of the process or a slow answer costs the lease. */
  lease: duration("6s").refine((ms) => ms >= 1000, "must be at least 1s"),
  /** Publish although someone else seems to publish the same table. */
  force: z.boolean().default(false),
});

const outboxSchema = z.strictObject({
  store: name.default("default"),
  table: z.string().min(1),
  columns: z.partialRecord(z.enum(COLUMN_ROLES), z.string()).default({}),
  lifecycle: lifecycleSchema.optional(),
  /** Zone of timestamps without one. */
  timeZone: timeZone.default("UTC"),
  deadAttempts: z.number().int().min(1).optional(),
  mode: z.enum(MODES).default("observe"),
  thresholds: thresholdsSchema.prefault({}),
  relay: relaySchema.optional(),
});

/** The configuration of a table that was found, not named: observed only. */
export function discoveredOutboxConfig(store: string, table: string): z.output<typeof outboxSchema> {
  return outboxSchema.parse({ store, table });
}

const inboxSchema = z.strictObject({
  store: name.default("default"),
  table: z.string().min(1),
  consumer: z.string().optional(),
  outbox: name.optional(),
});

/** PEM text, or the path of a file that holds it. */
const pem = z.string().min(1);
const tlsSchema = z.union([
  z.boolean(),
  z.strictObject({
    ca: pem.optional(),
    cert: pem.optional(),
    key: pem.optional(),
    serverName: z.string().optional(),
    /** Take any certificate: for tests only. */
    insecure: z.boolean().default(false),
  }),
]);

const logSinkSchema = z.strictObject({ kind: z.literal("log") });
const httpSinkSchema = z.strictObject({
  kind: z.literal("http"),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
  /** Signs every request as Standard Webhooks do. */
  secret: z.string().min(1).optional(),
  /** Events of one request; above 1 the body is a JSON array. */
  batch: z.number().int().min(1).max(10_000).default(1),
  redirects: z.number().int().min(0).max(10).default(0),
  /** Follow a redirect to a private or loopback address too. */
  privateRedirects: z.boolean().default(false),
  tls: tlsSchema.default(false),
});
const kafkaSinkSchema = z.strictObject({
  kind: z.literal("kafka"),
  brokers: z.array(z.string().regex(/^\S+:\d+$/, "must be host:port")).min(1),
  clientId: z.string().min(1).default("outbox-console"),
  tls: tlsSchema.default(false),
  sasl: z
    .strictObject({
      mechanism: z.enum(["plain", "scram-sha-256", "scram-sha-512"]),
      username: z.string(),
      password: z.string(),
    })
    .optional(),
  compression: z.enum(["none", "gzip", "snappy", "lz4", "zstd"]).default("none"),
  /** The broker's own limit is found by the first refusal; below it a message is refused before it is sent. */
  maxMessageBytes: z.number().int().min(1000).default(1_000_000),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});
const rabbitmqSinkSchema = z.strictObject({
  kind: z.literal("rabbitmq"),
  url: z.string().regex(/^amqps?:\/\//, "must be an amqp:// or amqps:// URL"),
  /** "" is the default exchange: the routing key is a queue's name. */
  exchange: z.string().default(""),
  exchangeType: z.enum(["topic", "fanout", "direct"]).default("topic"),
  /** Declare the exchange (durable) when it is not there. */
  declare: z.boolean().default(false),
  tls: tlsSchema.default(false),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});
const natsSinkSchema = z.strictObject({
  kind: z.literal("nats"),
  servers: z.array(z.string().min(1)).min(1),
  user: z.string().optional(),
  password: z.string().optional(),
  token: z.string().optional(),
  /** Contents of a .creds file, or its path. */
  credentials: z.string().optional(),
  tls: tlsSchema.default(false),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});
const redisSinkSchema = z.strictObject({
  kind: z.literal("redis"),
  url: z.string().regex(/^rediss?:\/\//, "must be a redis:// or rediss:// URL"),
  /** Trim the stream to about so many entries. */
  maxLength: z.number().int().min(1).optional(),
  /** Trim to exactly that many, which costs more. */
  exactLength: z.boolean().default(false),
  tls: tlsSchema.default(false),
  timeout: duration("10s"),
  connectTimeout: duration("3s"),
});

const sinkSchema = z.discriminatedUnion("kind", [
  logSinkSchema,
  httpSinkSchema,
  kafkaSinkSchema,
  rabbitmqSinkSchema,
  natsSinkSchema,
  redisSinkSchema,
]);

const authSchema = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("none") }),
  z.strictObject({
    mode: z.literal("password"),
    /** scrypt hashes made by `npm run hash-password`. */
    passwords: z
      .strictObject({
        viewer: passwordHash.optional(),
        operator: passwordHash.optional(),
        admin: passwordHash.optional(),
      })
      .refine((hashes) => hashes.viewer ?? hashes.operator ?? hashes.admin, "at least one role needs a password hash"),
    /** Signs session cookies; default: derived from the hashes, so that a changed password ends its sessions. */
    sessionSecret: z.string().min(32).optional(),
  }),
]);

export const configSchema = z
  .strictObject({
    environment: z.string().max(30).nullable().default(null),
    console: z
      .strictObject({
        databaseUrl: postgresUrl.optional(),
        /** Host names besides loopback and HOST under which the console is reached. */
        allowedHosts: z.array(z.string()).default([]),
      })
      .prefault({}),
    /** Create and update our schemas at start. */
    autoMigrate: z.boolean().default(false),
    stores: z.record(name, storeSchema).default({}),
    /** Outboxes by name; tables found in a store but not named here are observed under their own names. */
    outboxes: z.record(name, outboxSchema).default({}),
    inboxes: z.record(name, inboxSchema).default({}),
    /** Look for outbox and inbox tables that are not named. */
    discover: z.boolean().default(true),
    sinks: z.record(name, sinkSchema).default({}),
    auth: authSchema.default({ mode: "none" }),
  })
  .superRefine((config, context) => {
    const fail = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    for (const [outboxName, outbox] of Object.entries(config.outboxes)) {
      const path = ["outboxes", outboxName];
      if (!config.stores[outbox.store]) fail([...path, "store"], `there is no store named "${outbox.store}"`);
      if (outbox.mode === "relay" && !outbox.relay) fail([...path, "relay"], "mode relay needs a relay section");
      if (outbox.mode !== "relay" && outbox.relay) fail([...path, "mode"], "a relay section needs mode: relay");
      if (outbox.relay && !config.sinks[outbox.relay.sink])
        fail([...path, "relay", "sink"], `there is no sink named "${outbox.relay.sink}"`);
      const route = outbox.relay?.route;
      if (route && route.preset !== "cloudevents") {
        const only = "is for preset cloudevents only";
        if (route.mode !== "binary") fail([...path, "relay", "route", "mode"], only);
        if (route.source !== undefined) fail([...path, "relay", "route", "source"], only);
      } else if (route?.mode === "batch" && config.sinks[outbox.relay?.sink ?? ""]?.kind !== "http") {
        fail([...path, "relay", "route", "mode"], "batch is for sinks of the kind http only");
      }
    }
    for (const [inboxName, inbox] of Object.entries(config.inboxes)) {
      if (!config.stores[inbox.store])
        fail(["inboxes", inboxName, "store"], `there is no store named "${inbox.store}"`);
    }
  });

export type Config = z.output<typeof configSchema>;
export type StoreConfig = Config["stores"][string];
export type OutboxConfig = Config["outboxes"][string];
export type InboxConfig = Config["inboxes"][string];
export type RelayConfig = z.output<typeof relaySchema>;
export type SinkConfig = Config["sinks"][string];
export type HttpSinkConfig = z.output<typeof httpSinkSchema>;
export type KafkaSinkConfig = z.output<typeof kafkaSinkSchema>;
export type RabbitmqSinkConfig = z.output<typeof rabbitmqSinkSchema>;
export type NatsSinkConfig = z.output<typeof natsSinkSchema>;
export type RedisSinkConfig = z.output<typeof redisSinkSchema>;
export type TlsConfig = z.output<typeof tlsSchema>;
export type RouteConfig = z.output<typeof routeSchema>;
export type CdcConfig = z.output<typeof cdcSchema>;
export type Thresholds = z.output<typeof thresholdsSchema>;
