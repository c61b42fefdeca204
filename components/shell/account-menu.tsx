"use client";

import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconKeyboard, IconLogout, IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "#components/api/queries.ts";
import { useSignOut } from "./use-sign-out.ts";

const ICON = { size: 14, "aria-hidden": true } as const;

/** Who is signed in, colours, keys and the way out. */
export function AccountMenu({ onKeys }: { onKeys: () => void }) {
  const { setColorScheme, colorScheme } = useMantineColorScheme();
  const { data: session } = useQuery(sessionQuery());
  const signOut = useSignOut();
  const actor = session?.actor;
  const mark = (scheme: string) => (colorScheme === scheme ? "✓" : undefined);
  return (
    <Menu position="bottom-end" width={210}>
      <Menu.Target>
        <ActionIcon aria-label="You and the colours" size={30}>
          <IconUser size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actor && <Menu.Label>{`${actor.name} · ${actor.role}`}</Menu.Label>}
        <Menu.Item
          leftSection={<IconSun {...ICON} />}
          rightSection={mark("light")}
          onClick={() => setColorScheme("light")}
        >
          Light
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMoon {...ICON} />}
          rightSection={mark("dark")}
          onClick={() => setColorScheme("dark")}
        >
          Dark
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDeviceDesktop {...ICON} />}
          rightSection={mark("auto")}
          onClick={() => setColorScheme("auto")}
        >
          As the system
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard {...ICON} />} rightSection="?" onClick={onKeys}>
          Keys
        </Menu.Item>
        {session?.mode === "password" && (
          <Menu.Item leftSection={<IconLogout {...ICON} />} onClick={signOut}>
            Sign out
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
