import { mkdir } from "node:fs/promises";
import pg from "pg";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import type { EventLog } from "../event-log.ts";
import type { ChaosOptions } from "../options.ts";
import { buryInTable, type DeadInTable } from "../workload/dead-in-table.ts";
import { prepareTables } from "../workload/workload.ts";
import { type Line, openLine } from "./line.ts";
import { type PostgresServer, startPostgresServer } from "./postgres-server.ts";
import { openRecorder } from "./recorders/open-recorder.ts";
import type { Recorder } from "./recorders/recorder.ts";
import { relayConfig, throughLine } from "./relay-config.ts";
import { RelayFleet } from "./relay-fleet.ts";

/** Everything in a run that faults can act on. */
export interface World {
  options: ChaosOptions;
  log: EventLog;
  server: PostgresServer;
  /** Connects directly to the database, bypassing every line. */
  pool: pg.Pool;
  /** The operators' context, connected directly to the database. */
  runtime: Runtime;
  recorder: Recorder;
  fleet: RelayFleet;
  databaseLines: Line[];
  sinkLines: Line[];
  /** Messages touched by an operator; their order is not judged. */
  touched: Set<string>;
  /** Null for a table whose rows can be moved. */
  deadInTable: DeadInTable | null;
  close(): Promise<void>;
}

export async function openWorld(options: ChaosOptions, folder: string, log: EventLog): Promise<World> {
  await mkdir(folder, { recursive: true });
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  const closing = <T>(opened: T, closer: (opened: T) => Promise<unknown>): T => {
    closers.push(() => closer(opened));
    return opened;
  };
  try {
    const server = closing(await startPostgresServer(folder), (opened) => opened.stop());
    await migrateStoreSide(server.url);
    await prepareTables(server.url, options);
    const { deadInTable: count } = options.settings;
    const deadInTable =
      count > 0 ? closing(await buryInTable(server.url, count, log), (opened) => opened.close()) : null;
    const pool = closing(new pg.Pool({ connectionString: server.url, application_name: "chaos" }), (opened) =>
      opened.end(),
    );
    pool.on("error", () => undefined);
    const databaseLines: Line[] = [];
    const sinkLines: Line[] = [];
    let recorder: Recorder | undefined;
    for (let slot = 0; slot < options.relays; slot += 1) {
      databaseLines.push(closing(await openLine(() => server.port), (line) => line.close()));
      sinkLines.push(closing(await openLine(() => recorder?.portOf(slot) ?? 0), (line) => line.close()));
    }
    const linePorts = sinkLines.map(({ port }) => port);
    const sink = closing(
      await openRecorder(options.sink, { log, linePorts, httpBatch: options.settings.httpBatch, say: options.say }),
      (opened) => opened.close(),
    );
    recorder = sink;
    const configOf = (databaseUrl: string, sinkPort: number, slot: number | null) =>
      relayConfig({ options, databaseUrl, sinkPort, recorder: sink, slot });
    const runtime = closing(
      openRuntime({
        config: parseConfig(configOf(server.url, sink.portOf(null), null), {}, "chaos"),
        applicationName: "chaos operator",
        env: {},
      }),
      (opened) => opened.close(),
    );
    const fleet = closing(
      new RelayFleet({
        folder,
        log,
        configOf: (slot) =>
          configOf(throughLine(server.url, portOf(databaseLines, slot)), portOf(sinkLines, slot), slot),
      }),
      (opened) => opened.killAll(),
    );
    return {
      options,
      log,
      server,
      pool,
      runtime,
      recorder: sink,
      fleet,
      databaseLines,
      sinkLines,
      touched: new Set(deadInTable?.ids),
      deadInTable,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function portOf(lines: readonly Line[], slot: number): number {
  return lines[slot]?.port ?? 0;
}
