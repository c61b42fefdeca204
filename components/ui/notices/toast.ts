import { type Toast, toastStore } from "./toast-store.ts";

/** One summary per action, never one per message. Errors of a form or page belong inline, not here. */
export const toast = {
  done: (content: Toast) => toastStore.add(content, "ok"),
  warn: (content: Toast) => toastStore.add(content, "warn"),
  failed: (content: Toast) => toastStore.add(content, "bad"),
};

/** Says why a key or a press does nothing. True if there was something to say. */
export function tellRefusal(refusal: string | undefined): refusal is string {
  if (refusal !== undefined) toastStore.add({ message: refusal }, "refused");
  return refusal !== undefined;
}
