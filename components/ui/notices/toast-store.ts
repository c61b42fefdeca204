export type ToastTone = "ok" | "warn" | "bad";

export interface Toast {
  title?: string | undefined;
  message: string;
}

export interface ShownToast extends Toast {
  id: number;
  tone: ToastTone;
}

const MOST_SHOWN = 3;

let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Toasts on the screen, oldest first. */
export const toastStore = {
  read: (): readonly ShownToast[] => shown,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** The same text again replaces the earlier one, so that a key pressed five times does not fill the screen. */
  add(toast: Toast, tone: ToastTone): void {
    lastId += 1;
    const others = shown.filter(({ title, message }) => title !== toast.title || message !== toast.message);
    publish([...others, { ...toast, tone, id: lastId }].slice(-MOST_SHOWN));
  },
  remove(id: number): void {
    publish(shown.filter((toast) => toast.id !== id));
  },
};

function publish(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
