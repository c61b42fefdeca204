"use client";

import { Button } from "@mantine/core";
import { IconCopy, IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { z } from "zod";
import { apiGet } from "#components/api/api-client.ts";
import { incidentPath } from "#components/api/queries.ts";
import { copyText } from "#components/ui/format/copy-text.ts";
import { Panel } from "#components/ui/page/panel.tsx";
import { withBasePath } from "#contracts/base-path.ts";
import type { IncidentDetail } from "#contracts/watch/incidents.ts";
import { messageOf } from "#domain/errors.ts";
import css from "./incidents.module.css";

/** The incident as Markdown, to copy or as a file. */
export function IncidentExport({ incident: { id } }: { incident: IncidentDetail }) {
  const [said, setSaid] = useState("");
  const path = `${incidentPath(id)}/export`;

  async function copy() {
    try {
      const copied = await copyText(await apiGet(z.string(), path));
      setSaid(copied ? "Copied." : "The browser refused to copy.");
    } catch (error) {
      setSaid(`It could not be read. ${messageOf(error)}`);
    }
  }

  return (
    <Panel title="As Markdown" aside="UTC, without payloads">
      <p className={css.decide}>
        <Button size="xs" leftSection={<IconCopy size={13} aria-hidden />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          size="xs"
          component="a"
          href={withBasePath(path)}
          download
          leftSection={<IconDownload size={13} aria-hidden />}
        >
          Download
        </Button>
        <span className="muted" role="status">
          {said}
        </span>
      </p>
    </Panel>
  );
}
