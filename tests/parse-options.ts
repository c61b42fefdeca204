import { type ParseArgsConfig, parseArgs } from "node:util";

/** An option that is not what the program takes, as a sentence for a person. */
export class OptionError extends Error {}

/** Reads options; one that cannot be read ends the program with the sentence and the help, and without a stack. */
export function readOrStop<T>(read: () => T, help: string): T {
  try {
    return read();
  } catch (error) {
    const known =
      error instanceof OptionError || String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS_");
    if (!known) throw error;
    console.error(`${(error as Error).message}\n\n${help}`);
    process.exit(2);
  }
}

/**
 * `parseArgs` for a program that people run: `--help` prints the help and exits; an unknown argument exits with the
 * help and without a stack.
 */
export function parseOptions<T extends ParseArgsConfig>(config: T, help: string): ReturnType<typeof parseArgs<T>> {
  const args = config.args ?? process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help);
    process.exit(0);
  }
  return readOrStop(() => parseArgs(config), help);
}
