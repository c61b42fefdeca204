/** A failure with a sentence for the person at the terminal, shown without a stack. */
export class Sentence extends Error {}

/**
 * Runs a command's main function. On failure, prints the sentence (or the error with its stack) and sets exit code 1.
 * @param {() => Promise<number | undefined>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof Sentence ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
