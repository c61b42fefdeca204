import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startTestCluster } from "../../tests/test-cluster.ts";
import { ROOT } from "../lib/project.mjs";
import { composeCommands, imageHealthcheck, podCommands, unitCommands } from "./deployed-commands.ts";
import { Machine, PASSWORD } from "./deployed-machine.ts";
import { lintDockerfile, renderChart } from "./render-chart.ts";

/**
 * Runs the commands of compose file, image, systemd units and chart as processes of the installed package over a real
 * Postgres, with the same arguments, environment and configuration, but with other ports, secrets in another folder,
 * and a read-only working folder. Throws at the first failure.
 */
export async function tryDeployments(command: string): Promise<void> {
  const cluster = await startTestCluster("newest");
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-deployed-"));
  try {
    const { hostname, port } = new URL(cluster.adminUrl);
    await prepareDatabases(cluster.adminUrl);
    const machine = await Machine.prepare({ command, folder, postgres: `${hostname}:${port}` });
    lintDockerfile();
    await tryCompose(machine, `postgres://shop:${PASSWORD}@${hostname}:${port}/shop`);
    await tryUnits(machine);
    await tryChart(machine);
    process.stdout.write("The commands of compose file, image, units and chart run and answer.\n");
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As the image of Postgres makes them from the compose file. */
async function prepareDatabases(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE shop SUPERUSER LOGIN PASSWORD '${PASSWORD}'`);
  await admin.query("CREATE DATABASE shop OWNER shop");
  await admin.query(readFileSync(join(ROOT, "deploy/compose/create-console-database.sql"), "utf8"));
  await admin.end();
}

async function tryCompose(machine: Machine, shopUrl: string): Promise<void> {
  const services = new Map(composeCommands().map((service) => [service.args[0], service]));
  const service = (name: string) => {
    const found = services.get(name);
    if (!found) throw new Error(`The compose file has no service that runs ${name}.`);
    return found;
  };
  machine.run(service("migrate"));
  const running = ["worker", "demo", "console"].map((name) => machine.start(service(name)));
  try {
    for (const name of ["worker", "console"])
      await machine.until(() => machine.answers({ ...service(name), args: imageHealthcheck() }), {
        what: `${name} passes the image's HEALTHCHECK`,
        running,
      });
    const shop = new pg.Client({ connectionString: shopUrl });
    await shop.connect();
    await machine.until(async () => (await countPublished(shop)) > 0, { what: "the worker publishes", running });
    await shop.end();
    await machine.until(() => machine.measures(service("worker"), "messaging_client_sent_messages_total"), {
      what: "the worker's /metrics count what it sent",
      running,
    });
  } finally {
    await machine.stop(running, [0, 143]);
  }
}

/** The demo creates the table. */
async function countPublished(shop: pg.Client): Promise<number> {
  const { rows } = await shop.query("SELECT to_regclass('shop.outbox_events') AS known");
  if (rows[0]?.known === null) return 0;
  const counted = await shop.query(
    "SELECT count(*)::int AS count FROM shop.outbox_events WHERE published_at IS NOT NULL",
  );
  return counted.rows[0].count;
}

async function tryUnits(machine: Machine): Promise<void> {
  const config = readFileSync(join(ROOT, "deploy/compose/outbox.yaml"), "utf8");
  for (const unit of ["worker", "console"] as const) {
    const text = readFileSync(join(ROOT, `deploy/systemd/outbox-console-${unit}.service`), "utf8");
    // The file of the unit's EnvironmentFile may name the port.
    const env: Record<string, string> = unit === "worker" ? { WORKER_PORT: "9464" } : {};
    const commands = unitCommands(unit, config).map((one) => ({ ...one, env: { ...one.env, ...env } }));
    const main = commands.pop();
    if (!main) throw new Error(`The unit of the ${unit} starts nothing.`);
    for (const before of commands) machine.run(before);
    const running = machine.start(main);
    const isWell = () => machine.answers({ ...main, args: ["healthcheck"] });
    await machine.until(isWell, { what: `${main.name} answers`, running: [running] });
    running.child.kill("SIGHUP");
    await machine.until(isWell, { what: `${main.name} answers after a reload`, running: [running] });
    const [, others = ""] = /^SuccessExitStatus=(.*)$/m.exec(text) ?? [];
    await machine.stop([running], [0, ...others.split(" ").filter(Boolean).map(Number)]);
  }
}

async function tryChart(machine: Machine): Promise<void> {
  const secret = {
    SHOP_DATABASE_URL: `postgres://shop:${PASSWORD}@postgres/shop`,
    CONSOLE_DATABASE_URL: `postgres://shop:${PASSWORD}@postgres/outbox_console`,
    ADMIN_PASSWORD_HASH: machine.hash,
  };
  const on = { enabled: true };
  const values = { existingSecret: "outbox", mountSecret: true, basePath: "/outbox", ingress: on, serviceMonitor: on };
  const pods = podCommands(renderChart({ ...values, prometheusRule: on }), secret);
  const commands = pods.map(({ args }) => args.join(" ")).toSorted();
  if (commands.join() !== "console,migrate,worker") throw new Error(`The chart runs ${commands.join(", ")}.`);
  for (const pod of pods.toSorted((one) => (one.args[0] === "migrate" ? -1 : 1))) {
    if (pod.args[0] === "migrate") {
      machine.run(pod);
      continue;
    }
    const running = machine.start(pod);
    for (const { path, headers } of pod.probes)
      await machine.until(() => machine.ask(pod, { path, headers }), {
        what: `${pod.name} answers its probe ${path}`,
        running: [running],
      });
    if (pod.probes.length !== 3) throw new Error(`${pod.name} has ${pod.probes.length} probes.`);
    await machine.connect(pod);
    await machine.stop([running], [0, 143]);
  }
}
