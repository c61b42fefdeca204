/** All outboxes of a store ask at about the same time. */
const SHARED_MS = 1000;

const attempts = new WeakMap<object, { atMs: number; error: Promise<unknown> }>();

/** The error of `attempt`, null if it succeeds. One attempt serves all who ask for the same `of` within a second. */
export function errorOfAttempt(of: object, attempt: () => Promise<unknown>): Promise<unknown> {
  const known = attempts.get(of);
  if (known && performance.now() - known.atMs < SHARED_MS) return known.error;
  const error = attempt().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  attempts.set(of, { atMs: performance.now(), error });
  return error;
}
