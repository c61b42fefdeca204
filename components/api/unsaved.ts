/** Fields with text that nothing keeps if the page is left. */
const unsaved = new Set<object>();
const listeners = new Set<() => void>();
let ended = false;

/** Keeps the page where it is until the returned function is called. */
export function holdPage(): () => void {
  const hold = {};
  unsaved.add(hold);
  return () => void unsaved.delete(hold);
}

/** The session has ended under a page that is not left because of what was typed on it. */
export const endedSession = {
  read: (): boolean => ended,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Whether the page stays, and says so itself. */
  isHeld(): boolean {
    if (unsaved.size > 0) set(true);
    return unsaved.size > 0;
  },
  /** A request was answered: somebody has signed in again. */
  over: (): void => set(false),
};

function set(next: boolean): void {
  if (ended === next) return;
  ended = next;
  for (const listener of listeners) listener();
}
