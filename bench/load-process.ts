import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import mysql from "mysql2/promise";
import pg from "pg";
import { INSERT_ONE, payloadOf } from "#tests/outbox-table.ts";
import { type FollowedTopic, followTopic } from "./connect/follow-topic.ts";
import { connect, DYNAMODB_TABLE, eventItem, sortKeyOf } from "./dynamodb/dynamodb-table.ts";
import { MYSQL_INSERT } from "./mysql/mysql-table.ts";

/**
 * The relay's surroundings in a separate process: a receiver of events, and a producer that commits one event per
 * transaction at a steady rate. Both use one clock, so that the time from commit to receipt is measured exactly.
 */
export type LoadCommand =
  | { kind: "delay"; ms: number }
  /** Receives from a topic of Kafka too, from its beginning on, until `unfollow`. */
  | { kind: "follow"; brokers: string[] }
  | { kind: "unfollow" }
  | { kind: "produce"; url: string; perSecond: number; warmUpSeconds: number; seconds: number };
export type LoadReport =
  | { kind: "listening"; port: number }
  | { kind: "following" }
  | { kind: "unfollowed" }
  /** The warm-up has ended. */
  | { kind: "warm" }
  | { kind: "produced"; timings: Timing[]; missing: number };
/** Time of a commit's acknowledgement since the load began, and the time until its receipt, ms. */
export type Timing = [committedAtMs: number, latencyMs: number];

const committedAt = new Map<string, number>();
const receivedAt = new Map<string, number>();
let delayMs = 0;

const server = createServer((request, response) => {
  const id = request.headers["webhook-id"];
  receive(String(id));
  request.resume();
  const answer = () => {
    response.writeHead(204);
    response.end();
  };
  request.on("end", () => (delayMs === 0 ? answer() : setTimeout(answer, delayMs)));
});
server.keepAliveTimeout = 60_000;
let producing = false;

/** Records the first receipt of a message; repeated ones do not count. */
function receive(id: string): void {
  if (producing && !receivedAt.has(id)) receivedAt.set(id, performance.now());
}

server.listen(0, "127.0.0.1", () => tell({ kind: "listening", port: (server.address() as AddressInfo).port }));

function tell(report: LoadReport): void {
  process.send?.(report);
}

async function produce({ url, perSecond, ...command }: Extract<LoadCommand, { kind: "produce" }>): Promise<void> {
  producing = true;
  committedAt.clear();
  receivedAt.clear();
  const producer = openProducer(url);
  const warmUp = perSecond * command.warmUpSeconds;
  const total = warmUp + perSecond * command.seconds;
  const startedMs = performance.now();
  const pending: Promise<unknown>[] = [];
  for (let n = 0; n < total; ) {
    const dueBy = Math.min(total, Math.floor(((performance.now() - startedMs) * perSecond) / 1000) + 1);
    if (n < warmUp && dueBy >= warmUp) tell({ kind: "warm" });
    for (; n < dueBy; n += 1) pending.push(insert(producer, n));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  const deadline = performance.now() + 10_000;
  // Messages of other loads may arrive too.
  const allReceived = () => [...committedAt.keys()].every((id) => receivedAt.has(id));
  while (!allReceived() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  await producer.end();
  producing = false;
  const timings: Timing[] = [];
  for (const [id, at] of committedAt) {
    const got = receivedAt.get(id);
    if (got !== undefined) timings.push([at - startedMs, Math.max(0, got - at)]);
  }
  tell({ kind: "produced", timings, missing: total - timings.length });
}

interface Producer {
  idOf(n: number): string;
  insert(values: string[]): Promise<unknown>;
  end(): Promise<void>;
}

const CONNECTIONS = 4;

function openProducer(url: string): Producer {
  if (url.startsWith("postgres")) {
    const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
    return {
      idOf: () => randomUUID(),
      insert: (values) => pool.query({ name: "insert", text: INSERT_ONE, values }),
      end: () => pool.end(),
    };
  }
  if (url.startsWith("http")) {
    const client = connect(url);
    return {
      // The id is the sort key too.
      idOf: sortKeyOf,
      insert: ([id = "", aggregate = "", payload = ""]) => {
        const Item = { ...eventItem(aggregate, 0, id), payload: { S: payload } };
        return client.send(new PutItemCommand({ TableName: DYNAMODB_TABLE, Item }));
      },
      end: async () => client.destroy(),
    };
  }
  const pool = mysql.createPool({
    uri: url.replace(/^mariadb:/, "mysql:"),
    connectionLimit: CONNECTIONS,
    timezone: "Z",
  });
  return {
    idOf: () => randomUUID(),
    insert: (values) => pool.execute(MYSQL_INSERT, values),
    end: () => pool.end(),
  };
}

async function insert(producer: Producer, n: number): Promise<void> {
  const id = producer.idOf(n);
  await producer.insert([id, String(n % 1000), payloadOf(n)]);
  committedAt.set(id, performance.now());
}

let followed: FollowedTopic | undefined;

async function obey(command: LoadCommand): Promise<void> {
  if (command.kind === "delay") delayMs = command.ms;
  else if (command.kind === "produce") await produce(command);
  else if (command.kind === "follow") {
    followed = await followTopic(command.brokers, receive);
    tell({ kind: "following" });
  } else {
    await followed?.close();
    tell({ kind: "unfollowed" });
  }
}

process.on("message", (command: LoadCommand) => {
  void obey(command);
});
process.on("disconnect", () => process.exit(0));
