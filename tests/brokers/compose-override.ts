import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrokerKind } from "./broker-kinds.ts";

type Settings = Record<string, string>;
type ComposeService = { environment?: Settings; command?: string[]; volumes?: string[] };

/** A compose file (JSON is YAML) that passes the broker its settings in its image's form. */
export async function writeComposeOverride(kind: BrokerKind, folder: string, settings: Settings): Promise<string> {
  const service = await SERVICES[kind](folder, settings);
  const file = join(folder, "compose.override.json");
  await writeFile(file, JSON.stringify({ services: { [kind]: service } }));
  return file;
}

const SERVICES: Record<BrokerKind, (folder: string, settings: Settings) => Promise<ComposeService>> = {
  kafka: async (_folder, settings) => ({
    environment: Object.fromEntries(Object.entries(settings).map(([name, value]) => [kafkaVariable(name), value])),
  }),
  rabbitmq: async (folder, settings) => {
    const file = await writeSettings(join(folder, "rabbitmq.conf"), settings, " = ");
    return { volumes: [`${file}:/etc/rabbitmq/conf.d/90-settings.conf:ro`] };
  },
  nats: async (folder, settings) => {
    const file = await writeSettings(join(folder, "nats.conf"), settings, ": ");
    return {
      command: ["-js", "-sd", "/data", "-c", "/etc/nats-settings.conf"],
      volumes: [`${file}:/etc/nats-settings.conf:ro`],
    };
  },
  redis: async (_folder, settings) => ({
    command: ["redis-server", "--appendonly", "yes", "--save", "", ...flags(settings)],
  }),
};

/** The image's rule: a dot is one underscore, an underscore two, a dash three. */
function kafkaVariable(name: string): string {
  return `KAFKA_${name.replaceAll("_", "__").replaceAll("-", "___").replaceAll(".", "_").toUpperCase()}`;
}

async function writeSettings(file: string, settings: Settings, separator: string): Promise<string> {
  const lines = Object.entries(settings).map(([name, value]) => `${name}${separator}${value}\n`);
  await writeFile(file, lines.join(""));
  return file;
}

function flags(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}
