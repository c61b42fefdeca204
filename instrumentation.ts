/** Runs once when the server starts: a configuration that must not be served ends it with its sentences. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { checkStart } = await import("./app/_server/check-start.ts");
  checkStart();
  const { guardRequests } = await import("./app/_server/request-gate.ts");
  guardRequests();
  const { stopInTime } = await import("./app/_server/stop-in-time.ts");
  stopInTime();
}
