import { formatCount } from "#domain/format.ts";
import { parseOptions } from "#tests/parse-options.ts";
import { CHANGE_OVER_STORES, type ChangeOverResult, runChangeOver } from "./run-change-over.ts";

export const CHANGE_OVER_HELP = `npm run chaos -- change-over: from the relay to Debezium and back under load, with Kafka and Kafka Connect

  --store NAME     ${CHANGE_OVER_STORES.join(", ")} (${CHANGE_OVER_STORES[0]})
  --rate N         events per second (300)
  --bytes N        size of a payload (500)
  --seconds N      how long each publisher has the outbox (15)
  --kills N        how often each command is killed before it may end (0)
  --crashes N      how often the database crashes while each command runs (0)
  --rounds N       how often there and back (1)`;

/** `npm run chaos -- change-over`; returns the exit code. */
export async function changeOver(args: readonly string[]): Promise<number> {
  const { values } = parseOptions(
    {
      args: [...args],
      options: {
        store: { type: "string", default: CHANGE_OVER_STORES[0] ?? "" },
        rate: { type: "string", default: "300" },
        bytes: { type: "string", default: "500" },
        seconds: { type: "string", default: "15" },
        kills: { type: "string", default: "0" },
        crashes: { type: "string", default: "0" },
        rounds: { type: "string", default: "1" },
      },
    },
    CHANGE_OVER_HELP,
  );
  const store = CHANGE_OVER_STORES.find((one) => one === values.store);
  if (store === undefined) {
    console.error(CHANGE_OVER_HELP);
    return 2;
  }
  const result = await runChangeOver({
    store,
    perSecond: Number(values.rate),
    bytes: Number(values.bytes),
    phaseMs: Number(values.seconds) * 1000,
    kills: Number(values.kills),
    crashes: Number(values.crashes),
    rounds: Number(values.rounds),
    say: (line) => console.error(line),
  });
  console.log(describe(result));
  const { lost, repeated, inverted } = result.verdict;
  // A command that is killed, or loses its database, may repeat the messages that it was sending.
  const undisturbed = values.kills === "0" && values.crashes === "0";
  return lost > 0 || inverted > 0 || (repeated > 0 && undisturbed) ? 1 : 0;
}

function describe({ committed, verdict, ways, versions }: ChangeOverResult): string {
  return [
    versions,
    ...ways.map(describeWay),
    `${formatCount(committed)} events written, ${verdict.lost} lost, ${verdict.repeated} repeated, ${verdict.inverted} out of order`,
  ].join("\n");
}

/** E.g. "from the relay: 8.1 s, killed 0 times, the database crashed 2 times". */
function describeWay({ way, seconds, killed, crashed }: ChangeOverResult["ways"][number]): string {
  return `${way}: ${seconds.toFixed(1)} s, killed ${killed} times, the database crashed ${crashed} times`;
}
