const EVERY_MS = 500;

/**
 * Calls back once when the npm that runs this script has died. npm passes a SIGTERM to its shell, which ends without
 * passing it on, and kill -9 tells nobody; either way this process is left with another parent.
 * @param {() => void} onGone
 */
export function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    onGone();
  }, EVERY_MS);
  watching.unref();
}

/** Why a terminal, a pipe or a file takes no more; a full disk may take more later. */
const OUTPUT_TROUBLES = new Set(["EPIPE", "EIO", "ENOSPC", "EDQUOT"]);

/** A terminal or pipe that has gone away, or a full disk, is no reason to die without stopping what runs. */
export function outliveTerminal() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!OUTPUT_TROUBLES.has(error.code)) throw error;
    });
  }
}
