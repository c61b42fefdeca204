import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BrokerUnavailable } from "./broker.ts";
import type { BrokerProgram, ProgramPlace } from "./broker-program.ts";
import { findProgram } from "./find-program.ts";

/** Debian's wrapper on the PATH switches to the user rabbitmq, who cannot write into our folder. */
const BEFORE_WRAPPERS = ["/usr/lib/rabbitmq/bin"];

/** Started as a daemon, Erlang's port mapper would outlive the broker. Started first in its group, it ends with it. */
const WITH_PORT_MAPPER = '"$1" -address 127.0.0.1 -port "$ERL_EPMD_PORT" & shift; exec "$@"';

/** Idle schedulers sleep at once: spinning takes processor time from the tests. */
const NO_BUSY_WAIT = "+sbwt none +sbwtdcpu none +sbwtdio none";

const SETTINGS = { "disk_free_limit.absolute": "50MB", "vm_memory_high_watermark.absolute": "512MB" };

/** @throws BrokerUnavailable */
export function findRabbitmqProgram(): BrokerProgram {
  const file = findProgram("rabbitmq-server", BEFORE_WRAPPERS);
  if (file === null) throw new BrokerUnavailable("there is no rabbitmq-server on this machine");
  const portMapper = findProgram("epmd");
  if (portMapper === null)
    throw new BrokerUnavailable("there is a rabbitmq-server on this machine but no epmd of Erlang");
  return {
    foundBy: file,
    version: null,
    portCount: 3,
    readyWithinMs: 90_000,
    prepare: async ({ folder, ports, settings }) => {
      const all = { "listeners.tcp.1": `127.0.0.1:${ports[0]}`, ...SETTINGS, ...settings };
      const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
      await writeFile(join(folder, "rabbitmq.conf"), lines.join(""));
      await writeFile(join(folder, "enabled_plugins"), "[].\n");
    },
    command: (place) => ({
      file: "/bin/sh",
      args: ["-c", WITH_PORT_MAPPER, "rabbitmq", portMapper, file],
      env: environment(place),
    }),
  };
}

function environment({ folder, ports }: ProgramPlace): Record<string, string> {
  const [port, distributionPort, portMapperPort] = ports;
  return {
    // Erlang stores its cookie here.
    HOME: folder,
    RABBITMQ_NODENAME: `outbox${port}@localhost`,
    RABBITMQ_MNESIA_BASE: join(folder, "mnesia"),
    RABBITMQ_LOG_BASE: join(folder, "log"),
    RABBITMQ_CONFIG_FILE: join(folder, "rabbitmq.conf"),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "enabled_plugins"),
    RABBITMQ_PID_FILE: join(folder, "pid"),
    RABBITMQ_CONF_ENV_FILE: "/dev/null",
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `-kernel inet_dist_use_interface {127,0,0,1} ${NO_BUSY_WAIT}`,
    ERL_EPMD_ADDRESS: "127.0.0.1",
    ERL_EPMD_PORT: String(portMapperPort),
  };
}
