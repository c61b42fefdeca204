import type { z } from "zod";
import { formatBytes } from "#domain/format.ts";
import type { DebeziumConfig } from "../config/debezium-schema.ts";
import { readAtMost } from "../read-at-most.ts";
import {
  type ConnectorsAnswer,
  configAnswer,
  connectorsAnswer,
  errorAnswer,
  type OffsetsAnswer,
  offsetsAnswer,
  type StatusAnswer,
  statusAnswer,
  topicsAnswer,
  withoutSecrets,
} from "./connect-answers.ts";
import { ConnectError } from "./connect-error.ts";

/** For pages. */
const ANSWER_MS = 3_000;
/** A worker that is not the leader passes the request on. */
const ACT_MS = 10_000;
/** Longest answer that is read. */
const MOST_BYTES = 5_000_000;

type ConnectorAct = "pause" | "resume" | "restart";

/** Kafka Connect's REST API for one connector. Every method throws ConnectError. */
export interface ConnectClient {
  status(): Promise<StatusAnswer>;
  /** Passwords are masked. */
  config(): Promise<Record<string, string>>;
  topics(): Promise<string[]>;
  offsets(): Promise<OffsetsAnswer>;
  /** Every connector of this Connect, this one too. Passwords are masked. */
  all(): Promise<ConnectorsAnswer>;
  /** `restart` restarts all tasks too. Connect acts after it has answered. */
  act(act: ConnectorAct): Promise<void>;
  restartTask(task: number): Promise<void>;
  /** Ends the tasks and keeps the offsets; Connect 3.5 or newer. */
  stop(): Promise<void>;
}

/** `answerMs`: how long an answer is waited for at least. */
export function openConnect(
  { connect, connector }: Pick<DebeziumConfig, "connect" | "connector">,
  answerMs = ANSWER_MS,
): ConnectClient {
  const base = `connectors/${encodeURIComponent(connector)}`;
  const ask = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> => {
    const { text } = await call("GET", path);
    return read(text, schema, connect.address);
  };
  const call = (method: Request["method"], path: string) => {
    const timeoutMs = method === "GET" ? answerMs : Math.max(answerMs, ACT_MS);
    return request({ connect, connector, method, path, timeoutMs });
  };
  return {
    status: () => ask(`${base}/status`, statusAnswer),
    config: () => ask(`${base}/config`, configAnswer),
    topics: async () => {
      const found = await ask(`${base}/topics`, topicsAnswer);
      return Object.values(found).flatMap(({ topics }) => topics);
    },
    offsets: () => ask(`${base}/offsets`, offsetsAnswer),
    all: () => ask("connectors?expand=info&expand=status", connectorsAnswer),
    act: async (act) => {
      if (act === "restart") await call("POST", `${base}/restart?includeTasks=true&onlyFailed=false`);
      else await call("PUT", `${base}/${act}`);
    },
    restartTask: async (task) => {
      await call("POST", `${base}/tasks/${task}/restart`);
    },
    stop: async () => {
      await call("PUT", `${base}/stop`);
    },
  };
}

interface Request {
  connect: DebeziumConfig["connect"];
  connector: string;
  method: "GET" | "PUT" | "POST";
  path: string;
  timeoutMs: number;
}

async function request({ connect, connector, method, path, timeoutMs }: Request): Promise<{ text: string }> {
  try {
    const answer = await fetch(new URL(path, connect.address), {
      method,
      headers: {
        accept: "application/json",
        ...(connect.authorization === null ? {} : { authorization: connect.authorization }),
      },
      // Another address must not be sent the password.
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { text, whole } = await readAtMost(answer, MOST_BYTES);
    if (!whole)
      throw new ConnectError(
        "strange",
        `Kafka Connect at ${connect.address} answered with more than ${formatBytes(MOST_BYTES)}.`,
      );
    if (!answer.ok) throw refusalOf(answer.status, text, { address: connect.address, connector, path });
    return { text };
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    const why = whyUnreachable(error, timeoutMs);
    throw new ConnectError("unreachable", `Kafka Connect at ${connect.address} cannot be reached: ${why}.`, {
      cause: error,
    });
  }
}

interface Asked {
  address: string;
  connector: string;
  path: string;
}

function refusalOf(status: number, text: string, { address, connector, path }: Asked) {
  const said = messageOf(text);
  switch (status) {
    case 401:
    case 403:
      return new ConnectError("refused", `Kafka Connect at ${address} refuses the user in the URL (HTTP ${status}).`);
    case 404:
      // Elsewhere it may be the task that is absent, or an endpoint that this version of Connect lacks.
      if (!path.endsWith("/status")) break;
      return new ConnectError("absent", `Kafka Connect at ${address} has no connector named ${connector}.`);
    case 409:
      return new ConnectError("busy", `Kafka Connect at ${address} is rebalancing and answers again in a moment.`);
  }
  const kind = status === 404 ? "absent" : "strange";
  return new ConnectError(kind, `Kafka Connect at ${address} answered HTTP ${status}${said}.`);
}

function messageOf(text: string): string {
  const parsed = errorAnswer.safeParse(json(text));
  if (!parsed.success) return "";
  const line = withoutSecrets(parsed.data.message.split("\n", 1)[0] ?? "").slice(0, 300);
  return `: ${line.replace(/[.\s]+$/, "")}`;
}

function read<Schema extends z.ZodType>(text: string, schema: Schema, address: string): z.output<Schema> {
  const parsed = schema.safeParse(json(text));
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join(".");
  const where = at ? ` (${at})` : "";
  throw new ConnectError(
    "strange",
    `The server at ${address} is not Kafka Connect, or its answer has another form${where}.`,
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the schema refuses undefined.
    return undefined;
  }
}

const WHY: Record<string, string> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host name could not be resolved",
  EHOSTUNREACH: "there is no way to the host",
};

function whyUnreachable(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown error";
  return WHY[code] ?? code;
}
