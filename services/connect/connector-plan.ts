import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { ourCommand } from "#domain/text/our-command.ts";

/** Configuration and preparation of a Debezium connector for one outbox. */
export interface ConnectorPlan {
  /** For `PUT /connectors/NAME/config`; no password, but a reference to Connect's own secrets. */
  config: Record<string, string>;
  /** SQL to run in the database, by a user with the rights. */
  sql: string;
  /** The same without the statement that creates the connector's place in the log. */
  preparation: string;
  /** Sentences: notes and checks before the first start. */
  notes: string[];
}

export interface PlanInput {
  outbox: string;
  connector: string;
  slot: string;
  publication: string;
  mapping: OutboxMapping;
  /** True for a table that is partitioned by the database. */
  partitioned: boolean;
  /** As OutboxHandover says it; null for a database that Debezium has no connector for. */
  product: string | null;
  /** A relay of ours publishes the outbox now; the connector continues where it ends. */
  relayed: boolean;
  /** The store's URL; its user and password are not used. */
  url: string;
}

const CLASSES = new Map([
  ["Postgres", "io.debezium.connector.postgresql.PostgresConnector"],
  ["MySQL", "io.debezium.connector.mysql.MySqlConnector"],
  ["MariaDB", "io.debezium.connector.mariadb.MariaDbConnector"],
]);

/** Debezium's connector for a product; each refuses the others' servers. */
export function connectorClassOf(product: string): string {
  return CLASSES.get(product) ?? "";
}

const USER = "debezium";
const NAME_IN_LOG = /^[A-Za-z0-9_]+$/;

/** The plan, or a sentence why Debezium's event router cannot publish the outbox. */
export function planConnector(input: PlanInput): ConnectorPlan | { refusal: string } {
  const refusal = whyNot(input);
  if (refusal !== null) return { refusal };
  const engine = input.product === "Postgres" ? postgres(input) : mysql(input);
  return {
    config: { ...common(input), ...engine.config, ...router(input.mapping) },
    sql: [engine.preparation, ...(engine.begin && !input.relayed ? [engine.begin] : [])].join("\n"),
    preparation: engine.preparation,
    notes: [...(input.relayed ? engine.changeOver : []), ...engine.notes, ...notesOf(input.mapping)],
  };
}

function whyNot({ outbox, product, mapping: { columns, table } }: PlanInput): string | null {
  const cannot = `Debezium's event router cannot publish outbox ${outbox}`;
  if (product === null) return `${cannot}: it has no connector for DynamoDB.`;
  if (!columns.topic && !columns.aggregateType)
    return `${cannot}: no column holds the topic or the aggregate's type. Name one under columns.topic or columns.aggregateType.`;
  if (!columns.aggregateId)
    return `${cannot}: no column has the aggregate's id, which becomes the key. Name one under columns.aggregateId.`;
  if (columns.availableAt)
    return `${cannot}: ${columns.availableAt.name} says when a message is due, and Debezium publishes every row when it is committed. If no event has a due time, drop the column.`;
  const strange = [table.schema, table.name].find((name) => !NAME_IN_LOG.test(name));
  if (strange) return `${cannot}: its list of tables is of regular expressions, and "${strange}" would need escapes.`;
  return null;
}

function common({ outbox, connector, product }: PlanInput): Record<string, string> {
  return {
    "connector.class": connectorClassOf(product ?? ""),
    "tasks.max": "1",
    "database.user": USER,
    "database.password": `\${file:/etc/kafka-connect/secrets.properties:${outbox}.password}`,
    "topic.prefix": connector,
    "snapshot.mode": "no_data",
    "skipped.operations": "u,d,t",
    "tombstones.on.delete": "false",
    "heartbeat.interval.ms": "10000",
    "poll.interval.ms": "500",
  };
}

/** Debezium's outbox event router with the columns of the mapping. */
function router({ columns }: OutboxMapping): Record<string, string> {
  const { id, payload, aggregateId, aggregateType, eventType, topic } = columns;
  const at = "transforms.outbox";
  const binary = /^(bytea|.*blob|.*binary.*)$/i.test(payload.type);
  return {
    transforms: "outbox",
    [`${at}.type`]: "io.debezium.transforms.outbox.EventRouter",
    [`${at}.table.field.event.id`]: id.name,
    [`${at}.table.field.event.key`]: aggregateId?.name ?? "",
    [`${at}.table.field.event.payload`]: payload.name,
    [`${at}.route.by.field`]: topic?.name ?? aggregateType?.name ?? "",
    [`${at}.route.topic.replacement`]: topic ? `\${routedByValue}` : `outbox.event.\${routedByValue}`,
    ...(eventType ? { [`${at}.table.fields.additional.placement`]: `${eventType.name}:header:eventType` } : {}),
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    ...(binary
      ? {
          "value.converter": "io.debezium.converters.BinaryDataConverter",
          "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
        }
      : { "value.converter": "org.apache.kafka.connect.storage.StringConverter" }),
  };
}

interface EnginePlan extends Pick<ConnectorPlan, "config" | "preparation" | "notes"> {
  begin?: string;
  /** Notes for an outbox that our relay publishes. */
  changeOver: string[];
}

function postgres({ outbox, slot, publication, mapping: { table }, partitioned, url }: PlanInput): EnginePlan {
  const { hostname, port, pathname } = new URL(url);
  const name = `${quoted(table.schema)}.${quoted(table.name)}`;
  const beat = `${quoted(table.schema)}.debezium_heartbeat`;
  const root = partitioned ? ", publish_via_partition_root = true" : "";
  const database = decodeURIComponent(pathname.slice(1));
  return {
    config: {
      "database.hostname": hostname,
      "database.port": port || "5432",
      "database.dbname": database,
      "plugin.name": "pgoutput",
      "slot.name": slot,
      "publication.name": publication,
      "publication.autocreate.mode": "disabled",
      "table.include.list": `${table.schema}.${table.name}`,
      "heartbeat.action.query": `INSERT INTO ${beat} (id, at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET at = EXCLUDED.at`,
    },
    preparation: `CREATE ROLE ${USER} LOGIN REPLICATION; -- give it a password; or what your provider grants instead, such as rds_replication
GRANT CONNECT ON DATABASE ${quoted(database)} TO ${USER};
GRANT USAGE ON SCHEMA ${quoted(table.schema)} TO ${USER};
GRANT SELECT ON ${name} TO ${USER};
CREATE TABLE ${beat} (id int PRIMARY KEY, at timestamptz NOT NULL);
GRANT SELECT, INSERT, UPDATE ON ${beat} TO ${USER};
CREATE PUBLICATION ${quoted(publication)} FOR TABLE ${name}, ${beat} WITH (publish = 'insert, update'${root});`,
    begin: `SELECT pg_create_logical_replication_slot('${slot}', 'pgoutput'); -- from here on every row is in the log`,
    changeOver: [
      `The slot is created by \`${ourCommand("debezium", `${outbox} --from-relay`)}\`, at the position where the relay ends.`,
    ],
    notes: [
      "wal_level must be logical, with a free slot and a free sender (max_replication_slots, max_wal_senders): `SHOW wal_level`.",
      "The heartbeat writes one row every 10 s, so that the slot moves on while the outbox is quiet and other tables are not. Without it the server keeps their log.",
      "Set max_slot_wal_keep_size, so that a connector that is paused or forgotten cannot fill the disk. A slot over that limit is lost, which the console reports.",
      "The slot exists only on this server. After a failover it is there only if it was synchronised (Postgres 17: failover slots).",
    ],
  };
}

function mysql({ outbox, connector, product, mapping: { table }, relayed, url }: PlanInput): EnginePlan {
  const { hostname, port } = new URL(url);
  const mariadb = product === "MariaDB";
  const name = `\`${table.schema}\`.\`${table.name}\``;
  const reads = mariadb ? "BINLOG MONITOR" : "REPLICATION CLIENT";
  return {
    config: {
      "database.hostname": hostname,
      "database.port": port || "3306",
      "database.server.id": String(serverIdOf(connector)),
      "database.include.list": table.schema,
      "table.include.list": `${table.schema}.${table.name}`,
      "schema.history.internal.kafka.bootstrap.servers": "KAFKA:9092",
      "schema.history.internal.kafka.topic": `${connector}.schema-history`,
      "include.schema.changes": "false",
      // Without an offset it fails, where no_data would begin at the end of the log and leave out what came before.
      ...(relayed ? { "snapshot.mode": "recovery" } : {}),
    },
    preparation: `CREATE USER '${USER}'@'%' IDENTIFIED BY 'CHANGE-ME';
GRANT SELECT ON ${name} TO '${USER}'@'%';
GRANT RELOAD, SHOW DATABASES, REPLICATION SLAVE, ${reads} ON *.* TO '${USER}'@'%';`,
    changeOver: [
      `The connector is created stopped, and is given its position as its offset: \`${ourCommand("debezium", `${outbox} --from-relay`)}\` says how. snapshot.mode is recovery, with which a connector that has no offset fails.`,
    ],
    notes: [
      "The binary log must be on with binlog_format=ROW and binlog_row_image=FULL: `SHOW VARIABLES LIKE 'binlog%'`.",
      ...(mariadb
        ? ["log_bin_compress must be OFF, as it is by default: the connector passes over rows that are compressed."]
        : []),
      `database.server.id must differ from that of every replica and reader of this server: \`${mariadb ? "SHOW REPLICA HOSTS" : "SHOW REPLICAS"}\`.`,
      `The server removes files of the binary log after binlog_expire_logs_seconds${mariadb ? " (0, the default: never)" : ""}, read or not. A connector that is off for longer has lost its position.`,
      "Replace KAFKA:9092. The topic of the schema history needs one partition and unlimited retention.",
    ],
  };
}

function notesOf({ columns, lifecycle }: OutboxMapping): string[] {
  const always = [
    "database.password is a reference: Connect reads it from that file (config.providers=file, FileConfigProvider). The console never needs it.",
    "poll.interval.ms decides the latency. With 500, the default, rows were published after 167 ms (p50) and 496 ms (p99) at 500 rows/s, with 6 % of a core in Connect. With 10, and producer.override.linger.ms=0, after less than 1 ms (p50) and 12 ms (p99), with 26 % of a core.",
    "snapshot.mode no_data publishes only what is committed after the connector's position begins. With initial, it publishes every row that is in the table.",
    "Only inserts are events. An update or a delete of a row is skipped, so rows may be deleted at any time after they are committed.",
    "The topics have to be there, or the broker has to create them. Connect creates them if topic.creation.default.partitions and topic.creation.default.replication.factor are set.",
    "A record that cannot be converted or sent stops the task, and everything after it waits.",
  ];
  const headers = columns.headers
    ? [`Headers in ${columns.headers.name} are not sent: the router takes a header from a column of its own only.`]
    : [];
  const marks =
    lifecycle.kind === "untold" || lifecycle.kind === "log" || lifecycle.kind === "delete"
      ? []
      : [
          "No column will say that a row was published. Remove everything that relies on the published mark, including retention.",
        ];
  return [...always, ...headers, ...marks];
}

/** In the upper range, which people do not number by hand; the same for the same name. */
function serverIdOf(connector: string): number {
  let hash = 0;
  for (const character of connector) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_000;
  return 1_000_000_000 + hash;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
