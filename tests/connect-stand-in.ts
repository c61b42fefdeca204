import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers like Kafka Connect's REST API, by its documentation, for one connector. */
export interface ConnectStandIn {
  readonly url: string;
  connector: {
    name: string;
    state: string;
    tasks: { id: number; state: string; trace?: string }[];
    config: Record<string, string>;
    topics: string[];
    offsets: { partition: Record<string, unknown>; offset: Record<string, unknown> | null }[];
  } | null;
  /** Configurations of further connectors, all RUNNING, by name; null: their list is refused. */
  others: Record<string, Record<string, string>> | null;
  /** Requests that change something, as `PUT /connectors/x/pause`. */
  readonly acts: string[];
  /** The next requests are refused with 409: it rebalances, as it does after a change as well if `afterActs`. */
  rebalance: { requests: number; afterActs: number };
  /** Required value of the header; null accepts every request. */
  authorization: string | null;
  close(): Promise<void>;
}

const RUNNING: NonNullable<ConnectStandIn["connector"]> = {
  name: "orders-connector",
  state: "RUNNING",
  tasks: [{ id: 0, state: "RUNNING" }],
  config: {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.password": "s3cret",
    "slot.name": "orders_slot",
  },
  topics: ["outbox.event.order"],
  offsets: [
    {
      partition: { server: "shop" },
      offset: { lsn: 24023128, lsn_proc: 24023128, lsn_commit: 24023000, txId: 571, ts_usec: 1_790_000_000_000_000 },
    },
  ],
};

const STALE =
  "Cannot complete request momentarily due to stale configuration (typically caused by a concurrent config change)";

export async function startConnectStandIn(): Promise<ConnectStandIn> {
  const standIn = { acts: [] as string[], authorization: null as string | null, others: {} } as ConnectStandIn & {
    url: string;
  };
  standIn.rebalance = { requests: 0, afterActs: 0 };
  standIn.connector = structuredClone(RUNNING);
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "");
    if (standIn.authorization !== null && request.headers.authorization !== standIn.authorization)
      return send(response, 401, { message: "User cannot access the resource." });
    if (standIn.rebalance.requests > 0) {
      standIn.rebalance.requests -= 1;
      return send(response, 409, { error_code: 409, message: STALE });
    }
    if (request.method !== "GET") {
      standIn.acts.push(`${request.method} ${request.url}`);
      standIn.rebalance.requests = standIn.rebalance.afterActs;
    }
    answer(standIn, path, response);
  });
  await listen(server);
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  standIn.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return standIn;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}

function answer(standIn: ConnectStandIn, path: string, response: ServerResponse): ServerResponse {
  const { connector } = standIn;
  if (path === "/connectors") return listAll(standIn, response);
  const [, , name = "", ...rest] = path.split("/");
  if (!connector || decodeURIComponent(name) !== connector.name)
    return send(response, 404, { error_code: 404, message: `No status found for connector ${name}` });
  const worker_id = "10.0.0.5:8083";
  const move = (state: string) => {
    connector.state = state;
    connector.tasks = state === "STOPPED" ? [] : connector.tasks.map(({ id }) => ({ id, state }));
    return send(response, 202, null);
  };
  switch (rest.join("/")) {
    case "status":
      return send(response, 200, {
        name: connector.name,
        connector: { state: connector.state, worker_id },
        tasks: connector.tasks.map((task) => ({ ...task, worker_id })),
        type: "source",
      });
    case "config":
      return send(response, 200, connector.config);
    case "topics":
      return send(response, 200, { [connector.name]: { topics: connector.topics } });
    case "offsets":
      return send(response, 200, { offsets: connector.offsets });
    case "stop":
      return move("STOPPED");
    case "pause":
      return move("PAUSED");
    case "resume":
    case "restart":
    case "tasks/0/restart":
      return move("RUNNING");
    default:
      return send(response, 404, { error_code: 404, message: "HTTP 404 Not Found" });
  }
}

function listAll({ connector, others }: ConnectStandIn, response: ServerResponse): ServerResponse {
  if (others === null) return send(response, 403, { message: "Forbidden" });
  const status = { connector: { state: "RUNNING" }, tasks: [{ id: 0, state: "RUNNING" }] };
  const all = { ...others, ...(connector ? { [connector.name]: connector.config } : {}) };
  const entries = Object.entries(all).map(([name, config]) => [name, { info: { config }, status }]);
  return send(response, 200, Object.fromEntries(entries));
}

function send(response: ServerResponse, status: number, body: unknown): ServerResponse {
  response.writeHead(status, { "content-type": "application/json" });
  return response.end(body === null ? undefined : JSON.stringify(body));
}
