import { formatCount } from "#domain/format.ts";
import { parseOptions } from "#tests/parse-options.ts";
import { type RepairFault, type RepairResult, runRepair } from "./run-repair.ts";

export const REPAIR_HELP = `npm run chaos -- repair: retries very many dead letters while the worker is killed twice and the database restarted once

  --rows N         dead letters (1000000)
  --rate N         live events per second beside it (500)
  --items-rate N   items per second of the operation (as fast as it goes)
  --before N       seconds in which live events are measured before it (20)`;

const FAULTS: readonly RepairFault[] = [
  { at: 0.25, name: "worker killed" },
  { at: 0.5, name: "database restarted" },
  { at: 0.75, name: "worker killed" },
];

/** `npm run chaos -- repair`; returns the exit code. */
export async function repair(args: readonly string[]): Promise<number> {
  const { values } = parseOptions(
    {
      args: [...args],
      options: {
        rows: { type: "string", default: "1000000" },
        rate: { type: "string", default: "500" },
        "items-rate": { type: "string" },
        before: { type: "string", default: "20" },
      },
    },
    REPAIR_HELP,
  );
  const itemsRate = values["items-rate"];
  const result = await runRepair({
    rows: Number(values.rows),
    perSecond: Number(values.rate),
    ratePerSecond: itemsRate === undefined ? null : Number(itemsRate),
    beforeMs: Number(values.before) * 1000,
    faults: FAULTS,
    say: (line) => console.error(line),
  });
  console.log(describeRepair(Number(values.rows), result));
  return result.violations.length === 0 ? 0 : 1;
}

export function describeRepair(rows: number, result: RepairResult): string {
  const { seconds, before, during, betweenFaults, repeated, violations } = result;
  const of = ({ events, p50, p99 }: RepairResult["before"]) =>
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms over ${formatCount(events)} live events`;
  return [
    `${formatCount(rows)} dead messages retried in ${Math.round(seconds)} s (${formatCount(Math.round(rows / seconds))}/s)`,
    `before: ${of(before)}`,
    `during: ${of(during)}`,
    `during, without the outages: ${of(betweenFaults)}`,
    `${formatCount(repeated)} messages arrived more than once`,
    ...(violations.length === 0 ? ["nothing is lost, and nothing was retried twice"] : violations),
  ].join("\n");
}
