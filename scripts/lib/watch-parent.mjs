const EVERY_MS = 500;

/**
 * Calls back once when the npm that runs this script has died. npm passes a SIGTERM to its shell, which exits without
 * passing it on, and kill -9 gives no notice; in both cases this process gets another parent.
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

/** Errors of a terminal, a pipe or a file that accepts no more output; a full disk may recover. */
const OUTPUT_TROUBLES = new Set(["EPIPE", "EIO", "ENOSPC", "EDQUOT"]);

/** A terminal or pipe that is gone, or a full disk, must not end the process before it has stopped its children. */
export function outliveTerminal() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!OUTPUT_TROUBLES.has(error.code)) throw error;
    });
  }
}
