"use client";

import { Modal } from "@mantine/core";
import { useEffect, useSyncExternalStore } from "react";
import { useLive } from "#components/live/live-provider.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import { type Shortcut, shortcutStore } from "./shortcut-store.ts";
import css from "./shortcuts-sheet.module.css";
import { useModKey } from "./use-mod-key.ts";

export function ShortcutsSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const shortcuts = useSyncExternalStore(shortcutStore.subscribe, shortcutStore.read, shortcutStore.read);
  const mod = useModKey();
  const { holdRefresh } = useLive();
  useEffect(() => (opened ? holdRefresh("a dialog is open") : undefined), [opened, holdRefresh]);
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ "aria-label": "Close" }}>
      {[...groupShortcuts(shortcuts)].map(([group, keys]) => (
        <section key={group} className={css.group}>
          <h3 className={css.heading}>{group}</h3>
          <dl className={css.list}>
            {keys.map((shortcut) => (
              <div key={shortcut.key} className={css.row}>
                <dt>{shortcut.description}</dt>
                <dd>
                  <Kbd>{printKey(shortcut.key, mod)}</Kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}

function groupShortcuts(shortcuts: readonly Shortcut[]): Map<string, Shortcut[]> {
  const groups = new Map<string, Shortcut[]>();
  const seen = new Set<string>();
  for (const shortcut of shortcuts) {
    if (seen.has(shortcut.key)) continue;
    seen.add(shortcut.key);
    const group = shortcut.group ?? "Everywhere";
    groups.set(group, [...(groups.get(group) ?? []), shortcut]);
  }
  return groups;
}

function printKey(key: string, mod: string): string {
  if (key.startsWith("mod+")) return `${mod}${key.slice(4).toUpperCase()}`;
  return /^[A-Z]$/.test(key) ? `⇧${key}` : key;
}
