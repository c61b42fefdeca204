import { join, relative } from "node:path";
import { noteChildren } from "../lib/run-file.mjs";
import type { DemoStore } from "../lib/start-arguments.mjs";
import { ensureDatabases } from "./databases.ts";
import { type ChildPlan, ManagedChild } from "./managed-child.ts";
import { ManagedPostgres } from "./managed-postgres.ts";
import { chooseMode, databasesOf, type Mode, planChildren } from "./plan.ts";
import type { Terminal } from "./terminal.ts";
import { waitUntilLive } from "./wait-until-live.ts";

export type StackOptions = {
  folder: string;
  dataDir: string;
  runFile: string;
  listen: { host: string; port: number; url: string };
  terminal: Terminal;
  demoStore: DemoStore;
};

/** Everything that `npm start` runs, started in order and stopped in reverse. */
export class Stack {
  readonly #options: StackOptions;
  readonly #mode: Mode;
  readonly #postgres: ManagedPostgres;
  readonly #children: ManagedChild[] = [];
  #stopping = false;
  readonly #pids = new Map<string, number>([["supervisor", process.pid]]);

  constructor(options: StackOptions) {
    this.#options = options;
    this.#mode = chooseMode();
    this.#postgres = new ManagedPostgres({
      dataDir: join(options.dataDir, "postgres"),
      terminal: options.terminal,
      onPid: (pid) => this.#notePid("postgres", pid),
    });
    noteChildren(options.runFile, Object.fromEntries(this.#pids));
  }

  async start(): Promise<void> {
    const { runFile, listen, terminal, demoStore } = this.#options;
    const server = await this.#postgres.start();
    await ensureDatabases(server.url, databasesOf(this.#mode, demoStore));
    const plans = await planChildren({ mode: this.#mode, demoStore, embeddedUrl: server.url, runFile, listen });
    if (plans.demo !== null) {
      terminal.say("Opening the demo shop ...");
      const demo = this.#startChild(plans.demo);
      await Promise.race([demo.ready, demo.failed]);
    }
    terminal.say("Starting the worker and the console ...");
    this.#startChild(plans.worker);
    this.#startChild(plans.console);
    await Promise.race([waitUntilLive(listen.url), ...this.#children.map((child) => child.failed)]);
    for (const child of this.#children) child.markSteady();
    this.#sayWhatRuns(server.port);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const child of this.#children.toReversed()) await child.stop();
    await this.#postgres.stop();
  }

  kill(): void {
    for (const child of this.#children) child.kill();
    this.#postgres.kill();
  }

  #startChild(plan: ChildPlan): ManagedChild {
    if (this.#stopping) throw new Error(`${plan.name} is not started, because everything is being stopped.`);
    const { terminal, folder, dataDir } = this.#options;
    const logPath = relative(folder, join(dataDir, "logs", `${plan.name}.log`));
    const onPid = (pid: number | null) => this.#notePid(plan.name, pid);
    const child = new ManagedChild(plan, { terminal, cwd: folder, logPath, onPid });
    this.#children.push(child);
    child.start();
    return child;
  }

  #notePid(name: string, pid: number | null): void {
    if (pid === null) this.#pids.delete(name);
    else this.#pids.set(name, pid);
    noteChildren(this.#options.runFile, Object.fromEntries(this.#pids));
  }

  #sayWhatRuns(postgresPort: number): void {
    const { folder, dataDir, listen, terminal, demoStore } = this.#options;
    const data = relative(folder, dataDir) || dataDir;
    const demo = this.#mode === "demo";
    terminal.say(`
  Outbox Console is running:  ${listen.url}

  Showing   ${demo ? describeDemo(demoStore) : describeOwn()}
  Running   console, worker (relay and monitor)${demo ? ", demo shop" : ""}, Postgres on port ${postgresPort}
  Data      ${data}/postgres${demo ? howToBeginAnew(data, demoStore) : ": the console's own records"}
  Logs      ${data}/logs
  Stop      Ctrl-C
`);
  }
}

function describeDemo(store: DemoStore): string {
  const shop = "a demo shop with orders, events, consumers and faults to switch on";
  return store.kind === "mysql" ? `${shop}, in ${describeDatabase(store.url)}` : shop;
}

function howToBeginAnew(data: string, store: DemoStore): string {
  const drop = store.kind === "mysql" ? `drop the database ${new URL(store.url).pathname.slice(1)} and ` : "";
  return ` (${drop}remove ${data} to start over)`;
}

function describeOwn(): string {
  if (process.env.OUTBOX_CONFIG) return `what ${process.env.OUTBOX_CONFIG} names`;
  if (!process.env.DATABASE_URL) return "what outbox.yaml names";
  return `${describeDatabase(process.env.DATABASE_URL)}, observing only: nothing in it is changed`;
}

/** Without user and password. */
function describeDatabase(url: string): string {
  return URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : "the database of DATABASE_URL";
}
