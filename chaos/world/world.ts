import { mkdir } from "node:fs/promises";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import type { EventLog } from "../event-log.ts";
import type { ChaosOptions } from "../options.ts";
import type { ChaosStore } from "../stores/chaos-store.ts";
import { openChaosStore } from "../stores/open-chaos-store.ts";
import { type Line, openLine } from "./line.ts";
import { prepareStream } from "./prepare-stream.ts";
import { openRecorder } from "./recorders/open-recorder.ts";
import type { Recorder } from "./recorders/recorder.ts";
import { relayConfig } from "./relay-config.ts";
import { RelayFleet } from "./relay-fleet.ts";

/** Everything in a run that faults can act on. */
export interface World {
  options: ChaosOptions;
  log: EventLog;
  /** Reached directly, bypassing every line. */
  store: ChaosStore;
  /** The operators' context, connected directly to the database. */
  runtime: Runtime;
  recorder: Recorder;
  fleet: RelayFleet;
  databaseLines: Line[];
  sinkLines: Line[];
  /** Messages touched by an operator; their order is not judged. */
  touched: Set<string>;
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
    const store = closing(await openChaosStore({ options, folder, log }), (opened) => opened.close());
    const databaseLines: Line[] = [];
    const sinkLines: Line[] = [];
    let recorder: Recorder | undefined;
    for (let slot = 0; slot < options.relays; slot += 1) {
      databaseLines.push(closing(await openLine(() => store.port), (line) => line.close()));
      sinkLines.push(closing(await openLine(() => recorder?.portOf(slot) ?? 0), (line) => line.close()));
    }
    const linePorts = sinkLines.map(({ port }) => port);
    const sink = closing(
      await openRecorder(options.sink, { log, linePorts, httpBatch: options.settings.httpBatch, say: options.say }),
      (opened) => opened.close(),
    );
    recorder = sink;
    const configOf = (storePort: number, sinkPort: number, slot: number | null) =>
      relayConfig({ options, store, storePort, sinkPort, recorder: sink, slot });
    const runtime = closing(
      openRuntime({
        config: parseConfig(configOf(store.port, sink.portOf(null), null), {}, "chaos"),
        applicationName: "chaos operator",
        env: {},
      }),
      (opened) => opened.close(),
    );
    if (options.source === "cdc") await prepareStream(runtime);
    await store.buryDead();
    const fleet = closing(
      new RelayFleet({
        folder,
        log,
        configOf: (slot) => configOf(portOf(databaseLines, slot), portOf(sinkLines, slot), slot),
      }),
      (opened) => opened.killAll(),
    );
    return {
      options,
      log,
      store,
      runtime,
      recorder: sink,
      fleet,
      databaseLines,
      sinkLines,
      touched: new Set(store.deadInTable?.ids),
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
