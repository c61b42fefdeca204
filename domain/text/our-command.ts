type OurCommand = "migrate" | "doctor" | "worker" | "console" | "debezium" | "check-payloads";

/**
 * How a person runs one of our commands: by npm in a checkout, and by the package's own command elsewhere, whose folder
 * has no scripts of ours. The command of the package sets the variable for all that it starts.
 */
export function ourCommand(name: OurCommand, options = ""): string {
  if (process.env.OUTBOX_PROGRAM_DIR !== undefined) return `npx outbox-console ${name}${options && ` ${options}`}`;
  return `npm run ${name}${options && ` -- ${options}`}`;
}
