"use client";

import { IconMenu2 } from "@tabler/icons-react";
import { Fragment, type ReactNode, useEffect, useState } from "react";
import { DemoBadge } from "#components/demo/demo-badge.tsx";
import { IncidentLine } from "#components/incidents/incident-line.tsx";
import { RunningLine } from "#components/operations/running-line.tsx";
import { useOutbox, useOutboxesRefresh, useOutboxKey, usePinnedOutbox } from "#components/outbox/use-outbox.ts";
import { ShortcutListener } from "#components/shortcuts/shortcut-listener.tsx";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import { AccountMenu } from "./account-menu.tsx";
import { EnvironmentBadge } from "./environment-badge.tsx";
import { keepFocus } from "./keep-focus.ts";
import { LiveIndicator } from "./live-indicator.tsx";
import { Nav } from "./nav.tsx";
import { SearchBox } from "./search-box.tsx";
import { SessionEnded } from "./session-ended.tsx";
import css from "./shell.module.css";

const ShortcutsSheet = lazyDialog(() =>
  import("#components/shortcuts/shortcuts-sheet.tsx").then((module) => module.ShortcutsSheet),
);
const NavDrawer = lazyDialog(() => import("./nav-drawer.tsx").then((module) => module.NavDrawer));
const Palette = lazyDialog(() => import("./palette.tsx").then((module) => module.Palette));

type Overlay = "none" | "nav" | "keys" | "palette";

/** Frame of every page: pages at the left, environment, search and freshness on top. */
export function Shell({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay>("none");
  const { list } = useOutbox();
  useOutboxesRefresh();
  const outboxKey = useOutboxKey();
  usePinnedOutbox();
  useEffect(keepFocus, []);
  const close = () => setOverlay("none");
  function openPalette(): void {
    // A step to another page would drop what was typed in a dialog, and the answer that it waits for.
    const isAsked = overlay === "none" && document.querySelector("[role=dialog][aria-modal=true]") !== null;
    if (!tellRefusal(isAsked ? "Close the dialog first." : undefined)) setOverlay("palette");
  }

  useShortcuts([
    { key: "?", description: "Show keyboard shortcuts", run: () => setOverlay("keys") },
    { key: "mod+k", description: "Go to a page, outbox or message", run: openPalette },
    { key: "/", description: "Filter this page, or search", run: () => focusFilter() || setOverlay("palette") },
  ]);
  return (
    <div className={css.app}>
      <a className={css.skip} href="#main">
        Skip to the page
      </a>
      <ShortcutListener />
      <div className={css.side}>
        <div className={css.sticky}>
          <Nav />
        </div>
      </div>
      <div className={css.body}>
        <header className={css.header}>
          <button type="button" className={css.menu} aria-label="Open the menu" onClick={() => setOverlay("nav")}>
            <IconMenu2 size={18} aria-hidden />
          </button>
          <EnvironmentBadge environment={list?.environment} />
          <DemoBadge />
          <SearchBox onOpen={() => setOverlay("palette")} />
          <LiveIndicator />
          <AccountMenu onKeys={() => setOverlay("keys")} />
        </header>
        <IncidentLine />
        <RunningLine />
        <main id="main" className={css.main}>
          <SessionEnded />
          <Fragment key={outboxKey}>{children}</Fragment>
        </main>
      </div>
      {overlay === "nav" && <NavDrawer onClose={close} />}
      {overlay === "keys" && <ShortcutsSheet opened onClose={close} />}
      {overlay === "palette" && <Palette onClose={close} />}
    </div>
  );
}

/** Pages mark their filter field with `data-filter`. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLElement>("[data-filter]");
  field?.focus();
  return field !== null;
}
