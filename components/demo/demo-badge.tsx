"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ApiError } from "#components/api/api-error.ts";
import { demoQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import css from "./demo.module.css";

const DemoPanel = dynamic(() => import("./demo-panel.tsx").then((module) => module.DemoPanel), { ssr: false });
const PACE_MS = 10_000;

/** Stops asking once the answer was that no demo runs. */
function isDemo(query: { state: { error: Error | null } }): boolean {
  return !(query.state.error instanceof ApiError && query.state.error.status === 404);
}

/** Opens the faults of the demo shop; renders nothing where no demo runs. */
export function DemoBadge() {
  const [opened, setOpened] = useState(false);
  const pace = liveOptions(useLive(), { atLeastMs: PACE_MS });
  // The demo's own health says nothing about the freshness of the figures.
  const { data } = useQuery({ ...demoQuery(), ...pace, meta: {}, enabled: isDemo });
  if (data === undefined) return null;
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
        Demo{active > 0 && <b>{active} on</b>}
      </button>
      {opened && <DemoPanel demo={data} onClose={() => setOpened(false)} />}
    </>
  );
}
