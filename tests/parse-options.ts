import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * `parseArgs` of a program for a person: `--help` prints the help and ends it, and an argument that is not known ends it with the help and
 * without a stack.
 */
export function parseOptions<T extends ParseArgsConfig>(config: T, help: string): ReturnType<typeof parseArgs<T>> {
  const args = config.args ?? process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    console.log(help);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith("ERR_PARSE_ARGS_")) throw error;
    console.error(`${(error as Error).message}\n\n${help}`);
    process.exit(2);
  }
}
