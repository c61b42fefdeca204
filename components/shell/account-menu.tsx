"use client";

import { useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "#components/api/queries.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import type { MenuEntry } from "#components/ui/controls/menu-dropdown.tsx";
import css from "./account-menu.module.css";
import { useSignOut } from "./use-sign-out.ts";

const ICON = { size: 14, "aria-hidden": true } as const;

const SCHEMES = [
  { value: "light", label: "Light", icon: <IconSun {...ICON} /> },
  { value: "dark", label: "Dark", icon: <IconMoon {...ICON} /> },
  { value: "auto", label: "System", icon: <IconDeviceDesktop {...ICON} /> },
] as const;

/** The user, colour scheme, keys and sign-out. */
export function AccountMenu({ onKeys }: { onKeys: () => void }) {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const { data: session } = useQuery(sessionQuery());
  const signOut = useSignOut();
  const actor = session?.actor;
  const entries: MenuEntry[] = [
    ...SCHEMES.map(({ value, ...scheme }) => ({
      ...scheme,
      right: colorScheme === value ? "✓" : undefined,
      onSelect: () => setColorScheme(value),
    })),
    {
      label: "Keyboard shortcuts",
      icon: <IconKeyboard {...ICON} />,
      right: "?",
      divided: true,
      hideOnPhone: true,
      onSelect: onKeys,
    },
  ];
  if (session?.mode === "password" || session?.mode === "oidc") {
    entries.push({ label: "Sign out", icon: <IconLogout {...ICON} />, onSelect: () => void signOut() });
  }
  return (
    <MenuButton
      className={css.button}
      label="Account and appearance"
      heading={actor ? `${actor.name} · ${actor.role}` : undefined}
      entries={entries}
      position="bottom-end"
      width={200}
    >
      <IconUser size={16} aria-hidden />
    </MenuButton>
  );
}
