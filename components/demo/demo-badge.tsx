"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { demoQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import type { Demo } from "#contracts/demo.ts";
import css from "./demo.module.css";

const DemoPanel = lazyDialog(() => import("./demo-panel.tsx").then((module) => module.DemoPanel));
const PACE_MS = 10_000;

/** Stops polling once the answer was that no demo is running. */
function mayBeDemo(query: { state: { data?: Demo | undefined } }): boolean {
  return query.state.data === undefined || query.state.data.faults.length > 0;
}

/** Opens the demo shop's faults; renders nothing where no demo is running. */
export function DemoBadge() {
  const [opened, setOpened] = useState(false);
  // The demo's state says nothing about how fresh the figures are.
  const pace = liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false });
  const { data } = useQuery({ ...demoQuery(), ...pace, enabled: mayBeDemo });
  if (data === undefined || data.faults.length === 0) return null;
  const active = data.faults.filter((fault) => fault.active).length;
  return (
    <>
      <button
        type="button"
        className={css.badge}
        data-active={active > 0 || undefined}
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        <span className={css.pill}>
          <span className={css.name}>Demo</span>
          {active > 0 && <b>{active} on</b>}
        </span>
      </button>
      {opened && <DemoPanel demo={data} onClose={() => setOpened(false)} />}
    </>
  );
}
