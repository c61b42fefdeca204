import { IconCheck } from "@tabler/icons-react";
import { Instant } from "#components/ui/values/instant.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./message.module.css";

type Sighting = MessageDetail["sightings"][number];

/** Which consumers have it, from their inboxes. */
export function Sightings({ sightings }: { sightings: readonly Sighting[] }) {
  return (
    <section aria-label="Seen by">
      <div className={css.sectionHead}>
        <h2>Seen by</h2>
        <span className="muted">inboxes</span>
      </div>
      {sightings.length === 0 ? (
        <p className="muted">No inbox is configured for this outbox.</p>
      ) : (
        <ul className={css.list}>
          {sightings.map((sighting) => (
            <li key={`${sighting.inbox} ${sighting.consumer}`}>
              <span>{sighting.consumer ?? sighting.inbox}</span>
              <SightingWords sighting={sighting} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function SightingWords({ sighting }: { sighting: Sighting }) {
  if (sighting.state === "processed") {
    return (
      <span className="tone-ok">
        <IconCheck size={13} aria-hidden className={css.tick} /> processed{" "}
        {sighting.at !== null && <Instant at={sighting.at} />}
      </span>
    );
  }
  if (sighting.state === "received") {
    return (
      <span>
        received {sighting.at !== null && <Instant at={sighting.at} />}
        <span className="muted">, not processed yet</span>
      </span>
    );
  }
  if (sighting.state === "failed" || sighting.state === "untracked") {
    return (
      <span>
        received {sighting.at !== null && <Instant at={sighting.at} />}
        <span className={sighting.state === "failed" ? "tone-bad" : "muted"}>
          {sighting.state === "failed" ? ", processing failed" : ", processing not tracked"}
        </span>
      </span>
    );
  }
  return (
    <span className="muted">
      {sighting.state === "not_seen" ? "no row with its id" : "not known: the inbox did not answer"}
    </span>
  );
}
