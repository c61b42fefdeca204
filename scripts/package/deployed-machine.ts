import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort } from "../../db/embedded/free-port.ts";
import type { DeployedCommand } from "./deployed-commands.ts";

/** Password of the role `shop`. */
export const PASSWORD = "0a1b2c3d4e5f";
const WITHIN_MS = 60_000;
/**
 * User `nobody`, if this process may change its user: it cannot write the package, the configuration or the secrets.
 */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

interface Ports {
  console: string;
  worker: string;
}

export interface Running {
  name: string;
  child: ChildProcess;
  said: () => string;
}

/** The machine on which the commands run. Files that they must not write belong to another user. */
export class Machine {
  readonly hash: string;
  readonly #command: string;
  readonly #folder: string;
  readonly #replace: (text: string) => string;
  readonly #ports: Ports;

  private constructor(parts: {
    hash: string;
    command: string;
    folder: string;
    replace: (text: string) => string;
    ports: Ports;
  }) {
    this.hash = parts.hash;
    this.#command = parts.command;
    this.#folder = parts.folder;
    this.#replace = parts.replace;
    this.#ports = parts.ports;
  }

  static async prepare(input: { command: string; folder: string; postgres: string }): Promise<Machine> {
    const { command, folder, postgres } = input;
    chmodSync(folder, 0o755);
    const secrets = join(folder, "secrets");
    mkdirSync(secrets);
    mkdirSync(join(folder, "tmp"));
    chmodSync(join(folder, "tmp"), 0o1777);
    const hash = execFileSync(process.execPath, [command, "hash-password"], {
      ...{ input: "correct horse battery\n", encoding: "utf8", env: process.env, cwd: folder },
      stdio: ["pipe", "pipe", "ignore"],
    }).trim();
    writeFileSync(join(secrets, "postgres-password"), `${PASSWORD}\n`);
    writeFileSync(join(secrets, "admin-hash"), `${hash}\n`);
    const [console, worker, gateway, control] = await Promise.all([1, 2, 3, 4].map(() => findFreePort()));
    const replace = (text: string) =>
      text
        .replaceAll("/run/secrets", secrets)
        .replaceAll("@postgres/", `@${postgres}/`)
        .replaceAll(/\b8081\b/g, String(gateway))
        .replaceAll(/\b8082\b/g, String(control));
    return new Machine({ hash, command, folder, replace, ports: { console: String(console), worker: String(worker) } });
  }

  /** Runs it until it exits; it must succeed. */
  run(command: DeployedCommand): void {
    try {
      execFileSync(process.execPath, [this.#command, ...command.args], {
        ...this.#options(command),
        stdio: "pipe",
        timeout: WITHIN_MS,
      });
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: Buffer; stderr?: Buffer };
      throw new Error(`${command.name} failed:\n${stdout}${stderr}`, { cause: error });
    }
  }

  start(command: DeployedCommand): Running {
    const child = spawn(process.execPath, [this.#command, ...command.args], {
      ...this.#options(command),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said = (said + text).slice(-8192)));
    return { name: command.name, child, said: () => said };
  }

  /** True if a command that is expected to exit succeeds. */
  async answers(command: DeployedCommand): Promise<boolean> {
    const { child } = this.start(command);
    const [code] = await once(child, "exit");
    return code === 0;
  }

  async ask(
    { args }: DeployedCommand,
    { path, headers }: { path: string; headers: Record<string, string> },
  ): Promise<boolean> {
    const port = args[0] === "worker" ? this.#ports.worker : this.#ports.console;
    // A kubelet may send any Host header, which fetch does not allow.
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  }

  /**
   * A connection that sends nothing, like a browser's in advance or a balancer's check. Lasts until the other side ends
   * it.
   */
  async connect({ args }: DeployedCommand): Promise<void> {
    const port = args[0] === "worker" ? this.#ports.worker : this.#ports.console;
    const silent = connect(Number(port), "127.0.0.1");
    await once(silent, "connect");
    silent.on("error", () => undefined).resume();
  }

  /** True if a worker's /metrics has a figure of this name. */
  async measures(worker: DeployedCommand, metric: string): Promise<boolean> {
    const port = worker.env.WORKER_PORT && this.#ports.worker;
    const text = await fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
    return new RegExp(`^${metric}\\{`, "m").test(text);
  }

  async until(
    condition: () => Promise<boolean>,
    { what, running }: { what: string; running: readonly Running[] },
  ): Promise<void> {
    const deadline = Date.now() + WITHIN_MS;
    while (!(await condition())) {
      for (const { name, child, said } of running)
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} ended:\n${said()}`);
      if (Date.now() > deadline)
        throw new Error(`Not within ${WITHIN_MS / 1000} s: ${what}.\n${running.map(({ said }) => said()).join("\n")}`);
      await delay(300);
    }
  }

  async stop(running: readonly Running[], good: readonly number[]): Promise<void> {
    await Promise.all(
      running.map(async ({ name, child, said }) => {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill("SIGTERM");
          await once(child, "exit");
        }
        if (!good.includes(child.exitCode ?? -1))
          throw new Error(`${name} ended with ${child.exitCode ?? child.signalCode}:\n${said()}`);
      }),
    );
  }

  #options({ name, env, config }: DeployedCommand) {
    const cwd = join(this.#folder, name.replace(/\W+/g, "-"));
    mkdirSync(cwd, { recursive: true });
    if (config !== null) writeFileSync(join(cwd, "outbox.yaml"), this.#replace(config));
    const own = Object.fromEntries(Object.entries(env).map(([key, value]) => [key, this.#replace(value)]));
    const ports = {
      ...(env.WORKER_PORT ? { WORKER_PORT: this.#ports.worker, WORKER_HOST: "127.0.0.1" } : {}),
      // Outside a container, do not listen on every address.
      ...{ HOST: "127.0.0.1", PORT: this.#ports.console },
    };
    const { PATH } = process.env;
    const all = { NODE_ENV: "production" as const, PATH, TMPDIR: join(this.#folder, "tmp"), ...own, ...ports };
    return { cwd, ...NOBODY, env: all };
  }
}
