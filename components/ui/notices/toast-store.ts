/** `refused`: a key or a press that does nothing. */
export type ToastTone = "ok" | "warn" | "bad" | "refused";

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
  /**
   * The same text again replaces the earlier one, so that a key pressed five times does not fill the screen. So does
   * another refusal: only the last key counts.
   */
  add(toast: Toast, tone: ToastTone): void {
    lastId += 1;
    const others = shown.filter(
      (other) =>
        (other.title !== toast.title || other.message !== toast.message) &&
        (tone !== "refused" || other.tone !== "refused"),
    );
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
