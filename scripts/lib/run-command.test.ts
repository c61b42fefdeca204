import { expect, test, vi } from "vitest";
import { runCommand, stopCommands } from "./run-command.mjs";

const run = (script: string) => runCommand(process.execPath, ["-e", script]);

test("returns a program's exit code, or 128 and the signal's number", async () => {
  expect(await run("process.exit(3)")).toBe(3);
  expect(await run("process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000)")).toBe(143);
});

test("what runs beside another program has its name before each line, and yields to it with all that it starts", async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  const grandchild = "process.stdout.write(os.getPriority() + '\\nend\\n')";
  await runCommand(
    process.execPath,
    ["-e", `child_process.execFileSync(process.execPath, ["-e", ${JSON.stringify(grandchild)}], { stdio: "inherit" })`],
    { beside: { name: "tests", yields: true } },
  );
  write.mockRestore();
  expect(lines).toEqual(["tests | 10\n", "tests | end\n"]);
});

test("runs nothing more after a request to stop, which may arrive before the next program starts", async () => {
  stopCommands("SIGINT");
  expect(await run("process.exit(3)")).toBe(130);
});
