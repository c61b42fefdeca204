const TROUBLES: Record<string, string> = {
  unreachable: "cannot be reached",
  auth: "refuses our credentials",
  throttled: "asks us to slow down",
  unavailable: "accepts nothing",
  timeout: "does not answer in time",
  server_error: "answers everything with errors",
};

const BRING_BACK =
  "Bring the receiver back, or correct its address. The relay probes it and delivers everything in order; there is nothing to retry here.";
const NEXT_STEPS: Record<string, string> = {
  auth: "Correct the credentials in the sink's section of outbox.yaml and restart the worker, or give them the right on the receiver's side. The relay probes it and delivers everything in order; there is nothing to retry here.",
  throttled:
    "Raise the receiver's limit, or wait: the relay tries again when the receiver asked it to, and then goes on in order. A restart of the worker tries at once.",
};

/** What a person may do about a sink that fails with this code. */
export function sinkNextStep(code: string): string {
  return NEXT_STEPS[code] ?? BRING_BACK;
}

/** Why a sink cannot be used: our words first, then the client's own message. */
export function sinkCause(breaker: { sink: string; code: string; message: string }): string {
  return `the sink ${breaker.sink} ${TROUBLES[breaker.code] ?? "cannot be used"} (${breaker.message})`;
}
