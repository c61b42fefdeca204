"use client";

import { IconBookmark } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import type { MessagesPageModel } from "../list/use-messages-page.ts";
import { ToolButton } from "../toolbar/tool-button.tsx";

const load = () => import("./views-popover.tsx").then((module) => module.ViewsPopover);
const ViewsPopover = dynamic(load, { ssr: false });

export function ViewsButton({ outbox, page }: { outbox: string; page: MessagesPageModel }) {
  return (
    <ToolButton icon={<IconBookmark size={14} aria-hidden />} label="Views" press="views" load={load}>
      {(close) => <ViewsPopover outbox={outbox} page={page} onClose={close} />}
    </ToolButton>
  );
}
