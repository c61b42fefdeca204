let mounted = false;
const listeners = new Set<() => void>();

/** Whether this page needs the toast area yet. */
export const toastHost = {
  isMounted: (): boolean => mounted,
  mount(): void {
    mounted = true;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
