import { AppError } from "#domain/errors.ts";
import type { OutboxHandle } from "../../runtime.ts";
import type { OutboxPlan } from "../plan-of-outbox.ts";
import { type ChangeOver, isOurs, pauseOf } from "./change-over.ts";

/** What a person has to do once the slot is there. */
export function afterFromRelay(change: { from: ChangeOver; handle: OutboxHandle; plan: OutboxPlan }): void {
  const { from, handle, plan } = change;
  const { name, config } = handle;
  const slot = from.slot === undefined ? "" : ` --slot ${from.slot}`;
  const refused = config.lifecycle ? "lifecycle, retention and corrections" : "retention and corrections";
  from.say(`
The slot ${plan.names.reader} is there: everything before it is published, and nothing behind it. Now:

1. Create the connector, at once, because the server keeps its log until then:
   npm run --silent debezium -- ${name}${slot} > ${name}-connector.json
   curl -X PUT -H 'content-type: application/json' --data @${name}-connector.json ${plan.address}connectors/${encodeURIComponent(plan.connector)}/config
2. In outbox.yaml, in place of mode and relay; take out ${refused}, if they are there:
   outboxes:
     ${name}:
       mode: operate
       relay: { source: debezium, connect: "${plan.address.replace(/\/$/, "")}", connector: ${plan.connector} }
3. Start the console and the worker again.

The outbox stays paused, so that a relay that still has the old settings publishes nothing. The way back ends the pause:
npm run debezium -- ${name} --to-relay${config.relay?.source === "cdc" ? `\nThe relay's own slot ${config.relay.cdc.slot} keeps log, too. Drop it: SELECT pg_drop_replication_slot('${config.relay.cdc.slot}');` : ""}`);
}

/** What a person has to do once every row is marked. */
export function afterToRelay(back: {
  from: ChangeOver;
  handle: OutboxHandle;
  debezium: { connector: string; connect: { address: string } };
  names: { reader: string; feed: string };
}): void {
  const { from, handle, debezium, names } = back;
  from.say(`
Every row that the connector published is marked. Do not start the connector again. Now:

1. In outbox.yaml, with the sink and the route that consumers expect:
   outboxes:
     ${handle.name}:
       mode: relay
       relay: { source: polling, sink: …, route: { preset: debezium } }
2. Start the worker again. It publishes what has waited.
3. Delete the connector, then its slot, which keeps log until then, and its publication:
   curl -X DELETE ${debezium.connect.address}connectors/${encodeURIComponent(debezium.connector)}
   SELECT pg_drop_replication_slot('${names.reader}');
   DROP PUBLICATION "${names.feed.replaceAll('"', '""')}";`);
}

/** For an outbox that no connector publishes by the configuration. Throws wrong_state if its rows were not marked. */
export async function sayAfterToRelay({ say }: ChangeOver, handle: OutboxHandle): Promise<void> {
  if (isOurs(await pauseOf(handle)))
    throw new AppError(
      "wrong_state",
      `Outbox ${handle.name} is paused because a connector publishes it, and the configuration does not name that connector. Put \`relay: { source: debezium, … }\` back and run this again: the rows that the connector published have to be marked first.`,
    );
  say(`No connector publishes outbox ${handle.name} by the configuration, and no change-over is under way.`);
}
