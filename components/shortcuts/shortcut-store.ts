export interface Shortcut {
  /** As printed: "j", "X" for shift+x, "?", "mod+k" for ⌘K or Ctrl+K. */
  key: string;
  description: string;
  /** Heading in the sheet, e.g. "Messages". */
  group?: string;
  run: () => void;
}

let registered: readonly Shortcut[] = [];
const listeners = new Set<() => void>();

/** The keys that are active. The newest registration of a key wins, so a panel can override one of its page. */
export const shortcutStore = {
  read: (): readonly Shortcut[] => registered,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  add(shortcuts: readonly Shortcut[]): () => void {
    publish([...shortcuts, ...registered]);
    return () => publish(registered.filter((shortcut) => !shortcuts.includes(shortcut)));
  },
};

function publish(next: readonly Shortcut[]): void {
  registered = next;
  for (const listener of listeners) listener();
}

/** True for a key that belongs to the field or dialog it was typed in. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null
  );
}

/** The shortcut for an event; plain letters never fire while ⌘, Ctrl or Alt is held. */
export function matchShortcut(
  event: Pick<KeyboardEvent, "key" | "metaKey" | "ctrlKey" | "altKey">,
  shortcuts: readonly Shortcut[],
): Shortcut | undefined {
  const mod = event.metaKey || event.ctrlKey;
  if (event.altKey) return undefined;
  const wanted = mod ? `mod+${event.key.toLowerCase()}` : event.key;
  return shortcuts.find((shortcut) => shortcut.key === wanted);
}
