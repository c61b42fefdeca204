import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "#services/config/load-config.ts";

interface Service {
  image: string;
  command?: string[];
  read_only?: boolean;
  environment?: Record<string, string>;
}

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const HELP = read("../scripts/lib/cli.mjs");
const COMPOSE = parse(read("compose.yaml"), { merge: true });
const SERVICES = Object.values<Service>(COMPOSE.services);
const CHART = parse(read("helm/outbox-console/Chart.yaml"));
const VALUES = parse(read("helm/outbox-console/values.yaml"));
const HASH = `scrypt$16384$8$1$${"s".repeat(22)}$${"h".repeat(43)}`;

const isCommand = (name: string) => new RegExp(`^ {2}${name} `, "m").test(HELP);

test("every command that image, compose file, chart and units run exists", () => {
  const commands = [
    ...SERVICES.flatMap(({ image, command }) => (image === "outbox-console" ? (command ?? []) : [])),
    ...[...read("Dockerfile").matchAll(/outbox-console\.mjs", "([\w-]+)"|^CMD \["([\w-]+)"/gm)].map(
      ([, a, b]) => a ?? b,
    ),
    ...["console", "worker"].flatMap((name) =>
      [...read(`systemd/outbox-console-${name}.service`).matchAll(/outbox-console ([\w-]+)/g)].map(
        ([, found]) => found,
      ),
    ),
    ...["console", "worker", "migrate"].flatMap((name) =>
      [...read(`helm/outbox-console/templates/${name}.yaml`).matchAll(/"command" "([\w-]+)"/g)].map(
        ([, found]) => found,
      ),
    ),
  ];
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((name) => !isCommand(name ?? ""))).toEqual([]);
});

test("the compose file holds no secret, pins its images, and runs ours on a read-only root", () => {
  for (const { image, read_only } of SERVICES) {
    if (image === "outbox-console") expect(read_only).toBe(true);
    else expect(image).toMatch(/:v?\d+\.\d+/);
  }
  for (const { environment = {} } of SERVICES)
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|SECRET|URL/.test(name)) expect(value).toMatch(/\/run\/secrets\//);
  for (const secret of Object.values<object>(COMPOSE.secrets)) expect(Object.keys(secret)).toEqual(["file"]);
});

test("the configuration of the compose file is valid", () => {
  const secrets = mkdtempSync(join(tmpdir(), "secrets-"));
  onTestFinished(() => rmSync(secrets, { recursive: true }));
  writeFileSync(join(secrets, "postgres-password"), "0a1b2c\n");
  writeFileSync(join(secrets, "admin-hash"), `${HASH}\n`);
  const config = parseConfig(read("compose/outbox.yaml").replaceAll("/run/secrets", secrets), {}, "outbox.yaml");
  expect(config.stores.shop?.url).toBe("postgres://shop:0a1b2c@postgres/shop");
});

test("the chart's configuration is valid with the keys of its Secret, and is of this version", () => {
  const url = "postgres://db/shop";
  const env = { CONSOLE_DATABASE_URL: url, SHOP_DATABASE_URL: url, ADMIN_PASSWORD_HASH: HASH };
  expect(parseConfig(JSON.stringify(VALUES.config), env, "values.yaml").stores.shop?.url).toBe(url);
  expect(CHART.appVersion).toBe(JSON.parse(read("../package.json")).version);
  for (const rules of ["rules", "slo"])
    expect(read(`helm/outbox-console/files/${rules}.yaml`)).toBe(read(`prometheus/${rules}.yaml`));
});

test("a changed configuration restarts every pod of the chart", () => {
  for (const name of ["console", "worker"])
    expect(read(`helm/outbox-console/templates/${name}.yaml`)).toContain(
      'checksum/config: {{ include "outbox-console.config" . | sha256sum }}',
    );
});

test("the units name no file that only one of them can read", () => {
  for (const name of ["console", "worker"])
    expect(read(`systemd/outbox-console-${name}.service`)).not.toMatch(/LoadCredential|\/run\/credentials/);
});

test("the release workflow builds the image over the same Node as the Dockerfile, and passes what its labels need", () => {
  const workflow = read("../.github/workflows/release.yml");
  const { env, jobs } = parse(workflow);
  const dockerfile = read("Dockerfile");
  expect(dockerfile).toContain(`ARG NODE_IMAGE=${env.NODE_IMAGE}`);
  const push = jobs.image.steps.find((step: { uses?: string }) => step.uses?.startsWith("docker/build-push-action"));
  const passed = [...String(push.with["build-args"]).matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  const taken = [...dockerfile.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name);
  expect(passed.toSorted()).toEqual(taken.toSorted());
});
