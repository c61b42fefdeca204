"use client";

import { Drawer } from "@mantine/core";
import { Nav } from "./nav.tsx";

/** The pages, on a phone. */
export function NavDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Drawer
      opened
      onClose={onClose}
      size={248}
      padding={0}
      withCloseButton={false}
      classNames={{ header: "visually-hidden" }}
      title="Menu"
      position="left"
    >
      <Nav onNavigate={onClose} />
    </Drawer>
  );
}
