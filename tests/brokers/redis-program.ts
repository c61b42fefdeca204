import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BrokerUnavailable } from "./broker.ts";
import type { BrokerProgram } from "./broker-program.ts";
import { findProgram } from "./find-program.ts";

/** With the append-only file, confirmed entries survive a SIGKILL. */
const SETTINGS = { bind: "127.0.0.1", appendonly: "yes", appendfsync: "everysec", save: '""', daemonize: "no" };

/** @throws BrokerUnavailable */
export function findRedisProgram(): BrokerProgram {
  const file = findProgram("redis-server") ?? findProgram("valkey-server");
  if (file === null) throw new BrokerUnavailable("there is no redis-server on this machine");
  return {
    foundBy: file,
    version: null,
    portCount: 1,
    readyWithinMs: 15_000,
    prepare: async ({ folder, ports, settings }) => {
      const all = { ...SETTINGS, port: String(ports[0]), dir: folder, ...settings };
      const lines = Object.entries(all).map(([name, value]) => `${name} ${value}\n`);
      await writeFile(join(folder, "redis.conf"), lines.join(""));
    },
    command: ({ folder }) => ({ file, args: [join(folder, "redis.conf")] }),
  };
}
