/** Runs once when the server starts. An invalid or unsafe configuration ends the process and prints its problems. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { checkStart } = await import("./app/_server/check-start.ts");
  checkStart();
  const { guardRequests } = await import("./app/_server/request-gate.ts");
  guardRequests();
  const { stopInTime } = await import("./app/_server/stop-in-time.ts");
  stopInTime();
  const { getRuntime } = await import("./app/_server/runtime.ts");
  process.on("SIGHUP", () => getRuntime().reloadConfig());
}
