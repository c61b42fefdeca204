import { AppError, ConfigError } from "#domain/errors.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { planOfOutbox } from "#services/connect/plan-of-outbox.ts";
import { openRuntime } from "#services/runtime.ts";

/**
 * `npm run debezium -- <outbox>`: prints the configuration of a connector that publishes the outbox, as JSON on standard
 * output; the statements, and what to check, on standard error. Changes nothing.
 */
async function main([outbox, ...rest]: string[]): Promise<void> {
  if (outbox === undefined || rest.length > 0)
    throw new AppError("invalid_input", "Name one outbox: npm run debezium -- orders");
  const config = loadConfig();
  const runtime = openRuntime({ config, applicationName: "outbox-console debezium", once: true });
  try {
    const plan = await planOfOutbox({ runtime, outbox });
    process.stderr.write(`In the database:\n\n${plan.sql}\n\n`);
    for (const note of plan.notes) process.stderr.write(`- ${note}\n`);
    process.stderr.write(
      `\nThe configuration, for PUT ${plan.address}connectors/${encodeURIComponent(plan.connector)}/config:\n\n`,
    );
    process.stdout.write(`${JSON.stringify(plan.config, null, 2)}\n`);
  } finally {
    await runtime.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const known = error instanceof ConfigError || error instanceof AppError;
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
