let mounted = false;
const listeners = new Set<() => void>();

/** Whether the place for toasts is needed on this page yet. */
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
