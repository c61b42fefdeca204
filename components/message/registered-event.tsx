import type { RegisteredEvent as Registered } from "#contracts/outbox/registry.ts";
import { formatPlural } from "#domain/format.ts";
import css from "./message.module.css";

type Known = Extract<Registered, { kind: "known" }>;

/** What the outbox's registry says of this type, and whether the payload fits. */
export function RegisteredEvent({ registered }: { registered: Registered }) {
  return (
    <section aria-label="Registry">
      <div className={css.sectionHead}>
        <h2>Registry</h2>
        {registered.kind === "known" && (
          <span className="muted">
            {registered.aggregate}, version {registered.version}
          </span>
        )}
      </div>
      {registered.kind === "unknown" ? <p className="muted">{registered.reason}</p> : <KnownEvent event={registered} />}
    </section>
  );
}

function KnownEvent({ event }: { event: Known }) {
  const { description, sensitive, version, writtenVersion } = event;
  const isOther = writtenVersion !== null && writtenVersion !== String(version);
  return (
    <>
      {description !== null && <p>{description}</p>}
      <Verdict event={event} />
      {isOther && (
        <p className="muted">
          Written with version {writtenVersion}; it is compared with version {version}, which the registry has.
        </p>
      )}
      {sensitive.length > 0 && (
        <p className="muted">
          Marked sensitive: <span className="mono">{sensitive.join(", ")}</span>
        </p>
      )}
    </>
  );
}

function Verdict({ event: { verdict } }: { event: Known }) {
  if (verdict.kind === "fits") return <p className="tone-ok">The payload fits its schema.</p>;
  if (verdict.kind === "not_checked") return <p className="muted">Not checked: {verdict.reason}</p>;
  return (
    <>
      <p className="tone-bad">The payload does not fit its schema.</p>
      <ul className={css.list}>
        {verdict.issues.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <span className="mono">{path === "" ? "(payload)" : path}</span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
      {verdict.more > 0 && <p className="muted">{formatPlural(verdict.more, "further issue")} not shown.</p>}
    </>
  );
}
