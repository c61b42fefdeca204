"use client";

import { IconAlertTriangle } from "@tabler/icons-react";
import { Instant } from "#components/ui/instant.tsx";
import type { Snapshot } from "#contracts/snapshot.ts";
import css from "./observe-note.module.css";

/** One line while no monitor runs: what stands still, and what does not. */
export function MonitorNote({ monitor }: { monitor: Snapshot["monitor"] }) {
  if (monitor === null || monitor.alive) return null;
  return (
    <p className={css.note} data-tone="warn" data-testid="monitor-note">
      <IconAlertTriangle size={15} aria-hidden />
      <span>
        <b>
          {monitor.lastSeenAt === null ? (
            "No monitor has ever run."
          ) : (
            <>
              No monitor has run since <Instant at={monitor.lastSeenAt} /> UTC.
            </>
          )}
        </b>{" "}
        Rates and charts stand still; counts, ages and health are read when asked for. <code>npm run worker</code>{" "}
        starts one.
      </span>
    </p>
  );
}
