import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { AppError, ConfigError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { changeFromRelay } from "#services/connect/change-over/from-relay.ts";
import { changeToRelay } from "#services/connect/change-over/to-relay.ts";
import { ConnectError } from "#services/connect/connect-error.ts";
import { planOfOutbox } from "#services/connect/plan-of-outbox.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";

const OPTIONS = {
  "from-relay": { type: "boolean", default: false },
  "to-relay": { type: "boolean", default: false },
  "from-slot": { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  slot: { type: "string" },
} as const;

const USAGE = `${ourCommand("debezium", "OUTBOX")}                      print the connector's configuration; changes nothing
${ourCommand("debezium", "OUTBOX --from-relay [--yes]")}  from our relay to the connector
${ourCommand("debezium", "OUTBOX --to-relay [--yes]")}    and back; --from-slot where Connect has no usable offset
--slot NAME uses another slot name than debezium_OUTBOX; in MySQL and MariaDB, which have no slots, another name for the recorded position.
Without --yes the last two only say what they would do.`;

interface Asked {
  outbox: string;
  way: "print" | "from-relay" | "to-relay";
  yes: boolean;
  fromSlot: boolean;
  slot: string | undefined;
}

/**
 * `npm run debezium -- <outbox>`: prints the configuration of a connector that publishes the outbox, as JSON on
 * standard output; the statements, and what to check, on standard error. With `--from-relay` or `--to-relay` it changes
 * over.
 */
async function main(): Promise<void> {
  if (process.argv.includes("--help") || process.argv.includes("-h")) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const asked = readArguments();
  const runtime = openRuntime({ config: loadConfig(), applicationName: "outbox-console debezium", once: true });
  try {
    if (asked.way === "print") await print(runtime, asked);
    else await changeOver(runtime, asked);
  } finally {
    await runtime.close();
  }
}

async function print(runtime: Runtime, { outbox, slot }: Asked): Promise<void> {
  const plan = await planOfOutbox({ runtime, outbox, slot });
  process.stderr.write(`In the database:\n\n${plan.sql}\n\n`);
  for (const note of plan.notes) process.stderr.write(`- ${note}\n`);
  process.stderr.write(`\n${plan.body.title}, for ${plan.body.request}:\n\n`);
  process.stdout.write(`${JSON.stringify(plan.body.json, null, 2)}\n`);
}

function changeOver(runtime: Runtime, { outbox, way, yes, fromSlot, slot }: Asked): Promise<void> {
  const from = {
    ...{ runtime, outbox, slot, act: yes, openSink: openReplaySink },
    actor: { name: userInfo().username, role: "admin" as const },
    say: (line: string) => void process.stdout.write(`${line}\n`),
  };
  return way === "from-relay" ? changeFromRelay(from) : changeToRelay(from, { fromSlot });
}

function readArguments(): Asked {
  try {
    const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
    const [outbox, ...rest] = positionals;
    const [from, to] = [values["from-relay"], values["to-relay"]];
    const alone = !(from && to) && !((values.yes || values["from-slot"]) && !from && !to);
    if (outbox === undefined || rest.length > 0 || !alone) throw new AppError("invalid_input", USAGE);
    const way = from ? "from-relay" : to ? "to-relay" : "print";
    return { outbox, way, yes: values.yes, fromSlot: values["from-slot"], slot: values.slot };
  } catch (error) {
    throw error instanceof AppError ? error : new AppError("invalid_input", USAGE);
  }
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof AppError || error instanceof ConnectError;
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
