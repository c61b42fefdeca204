import { Panel } from "#components/ui/page/panel.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { formatBytes, formatDuration, formatPlural } from "#domain/format.ts";
import css from "./storage.module.css";

type Reading = NonNullable<Storage["partitions"]>;

const SHOWN = 60;
const WANTED_AHEAD = 3;
const WEEK_SECONDS = 7 * 86_400;
const LEAST_HEIGHT = 6;

export function PartitionsPanel({ reading }: { reading: Reading }) {
  const shown = reading.partitions.slice(-SHOWN);
  const largest = Math.max(1, ...shown.map(({ bytes }) => bytes));
  const isShort = reading.ahead < WANTED_AHEAD && (reading.runwaySeconds ?? WEEK_SECONDS) < WEEK_SECONDS;
  return (
    <Panel
      title={`Partitions by ${reading.column}`}
      aside={<span className={isShort ? css.warn : undefined}>{aheadText(reading)}</span>}
    >
      <ol className={css.bars} aria-label="Partitions, earliest first">
        {shown.map((partition) => (
          <li
            key={partition.name}
            data-place={partition.place}
            data-detaching={partition.isDetaching || undefined}
            style={{ height: `${Math.max(LEAST_HEIGHT, (partition.bytes / largest) * 100)}%` }}
            title={describe(partition)}
          >
            <span className="visually-hidden">{describe(partition)}</span>
          </li>
        ))}
      </ol>
      {sentencesOf(reading).map((sentence) => (
        <p key={sentence} className={css.fine}>
          {sentence}
        </p>
      ))}
    </Panel>
  );
}

function aheadText({ ahead, runwaySeconds }: Reading): string {
  const runway = runwaySeconds === null ? "" : `, room for ${formatDuration(runwaySeconds)}`;
  return `${ahead} ahead${runway}`;
}

function describe({ name, from, to, bytes, isDefault, isDetaching }: Reading["partitions"][number]): string {
  const range = isDefault ? "rows that fit no other partition" : `${from} to ${to}`;
  return `${name}: ${range}, ${formatBytes(bytes)}${isDetaching ? ", detach pending" : ""}`;
}

function sentencesOf({ partitions, defaultRows, managedBy, ahead, runwaySeconds }: Reading): string[] {
  const detaching = partitions.filter(({ isDetaching }) => isDetaching);
  return [
    ...(managedBy === null ? [] : [`Managed by ${managedBy}: nothing is created or dropped from here.`]),
    ...(runwaySeconds === 0
      ? ["No partition takes new rows: they go into the default partition, or are refused."]
      : []),
    ...(ahead < WANTED_AHEAD && managedBy === null
      ? [`Fewer than ${WANTED_AHEAD} partitions are ahead. Set retention.partitions.ahead, or create them.`]
      : []),
    ...(defaultRows === null
      ? []
      : [`Default partition: ${defaultRows === 0 ? "no rows" : `about ${formatPlural(defaultRows, "row")}`}.`]),
    ...detaching.map(
      ({ name }) =>
        `A detach of ${name} is pending: rows for its range are refused until ALTER TABLE … DETACH PARTITION ${name} FINALIZE.`,
    ),
  ];
}
