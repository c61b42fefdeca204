import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { isPortFree } from "#db/embedded/free-port.ts";
import { waitFor } from "#tests/wait-for.ts";
import { testBroker } from "./test-broker.ts";

const PROGRAM = fileURLToPath(new URL("start-and-wait.ts", import.meta.url));

// RabbitMQ is several processes, one of which would daemonise itself.
describe.each(["redis", "rabbitmq"] as const)("%s", (kind) => {
  testBroker(kind);

  test("does not outlive a SIGKILL of the process that started it", async () => {
    const owner = spawn(process.execPath, [PROGRAM, kind], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void owner.kill("SIGKILL"));
    const [line] = (await once(owner.stdout.setEncoding("utf8"), "data")) as [string];
    const { port, folder } = JSON.parse(line) as { port: number; folder: string };
    expect(await isPortFree(port)).toBe(false);
    owner.kill("SIGKILL");
    await waitFor(() => isPortFree(port), { message: `${kind} has ended` });
    await waitFor(() => !existsSync(folder), { message: `${folder} is removed` });
  });
});
