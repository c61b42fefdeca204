import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../lib/project.mjs";

/** A command in one of our deployment files. */
export interface DeployedCommand {
  /** For messages, such as "compose: worker". */
  name: string;
  /** Arguments of `outbox-console`. */
  args: string[];
  env: Record<string, string>;
  /** Contents of outbox.yaml; null if the environment has the configuration. */
  config: string | null;
}

const read = (path: string) => readFileSync(join(ROOT, "deploy", path), "utf8");

interface Service {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { disable?: boolean };
}

/** The services of compose.yaml that run our image, over the image's own environment. */
export function composeCommands(): DeployedCommand[] {
  const { services } = parse(read("compose.yaml"), { merge: true }) as { services: Record<string, Service> };
  const config = read("compose/outbox.yaml");
  return Object.entries(services)
    .filter(([, { image }]) => image === "outbox-console")
    .map(([name, { command = [], environment = {} }]) => ({
      name: `compose: ${name}`,
      args: command,
      // Compose reads a doubled sign as one.
      env: { ...imageEnv(), ...mapped(environment, (value) => value.replaceAll("$$", "$")) },
      config,
    }));
}

/** The image's default command and its HEALTHCHECK. */
function imageEnv(): Record<string, string> {
  const [, block = ""] = /^ENV ((?:.*\\\n)*.*)$/m.exec(read("Dockerfile")) ?? [];
  return Object.fromEntries([...block.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]));
}

/** The HEALTHCHECK of the image, as arguments of `outbox-console`. */
export function imageHealthcheck(): string[] {
  const [, line = "[]"] = /HEALTHCHECK [^[]*CMD (\[.*\])/.exec(read("Dockerfile").replaceAll("\\\n", "")) ?? [];
  return (JSON.parse(line) as string[]).slice(2);
}

/** ExecStartPre and ExecStart of a unit, in order. The config is that of the example in docs/deploying.md. */
export function unitCommands(unit: "console" | "worker", config: string): DeployedCommand[] {
  const text = read(`systemd/outbox-console-${unit}.service`);
  const env = Object.fromEntries(
    [...text.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  return [...text.matchAll(/^ExecStart(?:Pre)?=\/usr\/bin\/env outbox-console (.*)$/gm)].map(([, args = ""]) => ({
    name: `systemd: ${args}`,
    args: args.split(" "),
    env,
    config,
  }));
}

interface Container {
  args: string[];
  env?: { name: string; value?: string }[];
  [probe: string]: unknown;
}
export interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec?: { template?: { spec: { containers: Container[] } } };
}
export interface PodCommand extends DeployedCommand {
  /** Requests of its probes, which it must answer once started. */
  probes: { path: string; headers: Record<string, string> }[];
}

/** The containers of the rendered chart, with the Secret's keys as variables, as `envFrom` has them. */
export function podCommands(manifests: readonly Manifest[], secret: Record<string, string>): PodCommand[] {
  const config = manifests.find(({ kind }) => kind === "ConfigMap")?.data?.["outbox.yaml"] ?? null;
  return manifests.flatMap(({ kind, spec }) =>
    (spec?.template?.spec.containers ?? []).map((container) => ({
      name: `chart: ${container.args.join(" ")}`,
      args: container.args,
      env: {
        ...imageEnv(),
        ...secret,
        ...Object.fromEntries((container.env ?? []).map(({ name, value = "" }) => [name, value])),
      },
      config: kind === "Job" ? null : config,
      probes: ["startupProbe", "livenessProbe", "readinessProbe"].flatMap((probe) => probeOf(container[probe])),
    })),
  );
}

function probeOf(probe: unknown): PodCommand["probes"] {
  if (!probe) return [];
  const { path, httpHeaders = [] } = (
    probe as { httpGet: { path: string; httpHeaders?: { name: string; value: string }[] } }
  ).httpGet;
  return [{ path, headers: Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value])) }];
}

function mapped(values: Record<string, string>, change: (value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(String(value))]));
}
