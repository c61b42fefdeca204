const TROUBLES: Record<string, string> = {
  unreachable: "cannot be reached",
  auth: "refuses our credentials",
  throttled: "asks us to slow down",
  unavailable: "says that it is unavailable",
  timeout: "does not answer in time",
  server_error: "answers everything with errors",
};

/** Why a sink cannot be used: our words first, then the client's own message. */
export function sinkCause(breaker: { sink: string; code: string; message: string }): string {
  return `the sink ${breaker.sink} ${TROUBLES[breaker.code] ?? "cannot be used"} (${breaker.message})`;
}
