import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BrokerUnavailable } from "./broker.ts";
import type { BrokerProgram } from "./broker-program.ts";
import { findProgram } from "./find-program.ts";

/** @throws BrokerUnavailable */
export function findNatsProgram(): BrokerProgram {
  const file = findProgram("nats-server");
  if (file === null) throw new BrokerUnavailable("there is no nats-server on this machine");
  return {
    foundBy: file,
    version: null,
    portCount: 1,
    readyWithinMs: 15_000,
    prepare: async ({ folder, ports, settings }) => {
      const store = JSON.stringify(join(folder, "jetstream"));
      const lines = [
        "host: 127.0.0.1",
        `port: ${ports[0]}`,
        `jetstream { store_dir: ${store} }`,
        ...Object.entries(settings).map(([name, value]) => `${name}: ${value}`),
      ];
      await writeFile(join(folder, "nats.conf"), `${lines.join("\n")}\n`);
    },
    command: ({ folder }) => ({ file, args: ["-c", join(folder, "nats.conf")] }),
  };
}
