import { createInterface } from "node:readline";
import { hashPassword } from "./password.ts";

/** `npm run hash-password`: reads one password from the terminal or a pipe, prints its hash for outbox.yaml. */
async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  process.stderr.write("Password: ");
  for await (const line of lines) {
    if (line.length < 8) {
      process.stderr.write("A password needs at least 8 characters.\n");
      process.exitCode = 1;
    } else {
      process.stdout.write(`${await hashPassword(line)}\n`);
    }
    break;
  }
  lines.close();
}

await main();
