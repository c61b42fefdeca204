"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sessionQuery } from "#components/api/queries.ts";
import { Segmented } from "#components/ui/controls/segmented.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import { withBasePath } from "#contracts/base-path.ts";
import { PROBES, probeText } from "./probes.ts";
import css from "./settings.module.css";

/** Probe configuration to paste, with the address at which this page was opened. */
export function ProbeConfig({ outbox }: { outbox: string | undefined }) {
  const [probe, setProbe] = useState("curl");
  const [url, setUrl] = useState("http://127.0.0.1:3000");
  useEffect(() => setUrl(window.location.origin + withBasePath("")), []);
  const { data: session } = useQuery(sessionQuery());
  const text = probeText({ probe, url, outbox, signsIn: session?.mode !== "none" });
  return (
    <div className={css.probe}>
      <h3>Probe it from</h3>
      <Segmented label="Kind of probe" options={PROBES} value={probe} onChange={setProbe} />
      <div className={css.index}>
        <CodeBlock text={text} label="the probe's configuration" />
      </div>
    </div>
  );
}
