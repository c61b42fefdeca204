/** What to do about messages that died of an address; null where the error itself is all there is to say. */
export function nextStepOfFailure(code: string, error: string): string | null {
  if (code !== "unroutable") return null;
  const then = "then retry these messages; until then each further one is dead at once.";
  if (/^The (topic|key|CloudEvent) cannot be made/.test(error))
    return `Correct relay.route in outbox.yaml, or the rows that lack the value, ${then}`;
  return `Make the topic, queue, binding or stream that the error names (npm run doctor says which are missing and how to make them, where the broker can be asked), or correct relay.route, ${then}`;
}
