import type { ConnectorOffset, OutboxHandover } from "#db/stores/port/handover.ts";
import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxHandle } from "../../runtime.ts";
import type { OutboxPlan } from "../plan-of-outbox.ts";
import { type ChangeOver, isOurs, pauseOf } from "./change-over.ts";

interface Handed {
  from: ChangeOver;
  handle: OutboxHandle;
  plan: OutboxPlan;
  /** Null if a slot has the place. */
  offset: ConnectorOffset | null;
}

/** A person's next steps once the place is kept. */
export function afterFromRelay(change: Handed): void {
  const { from, handle, plan, offset } = change;
  const { name, config } = handle;
  const refused = config.lifecycle ? "lifecycle, retention and corrections" : "retention and corrections";
  from.say(`
${offset === null ? createAtSlot(change) : createWithOffset(change, offset)}
2. In outbox.yaml, in place of mode and relay; take out ${refused}, if they are there:
   outboxes:
     ${name}:
       mode: operate
       relay: { source: debezium, connect: "${plan.address.replace(/\/$/, "")}", connector: ${plan.connector} }
3. Start the console and the worker again.

The outbox stays paused, so that a relay that still has the old settings publishes nothing. The way back ends the pause:
${ourCommand("debezium", `${name} --to-relay`)}${dropOwnSlot(change)}`);
}

function createAtSlot({ from, handle: { name }, plan }: Handed): string {
  const slot = from.slot === undefined ? "" : ` --slot ${from.slot}`;
  return `The slot ${plan.names.reader} is there: everything before it is published, and nothing after it. Now:

1. Create the connector, at once, because the server keeps its log until then:
   npm run --silent debezium -- ${name}${slot} > ${name}-connector.json
   curl -X PUT -H 'content-type: application/json' --data @${name}-connector.json ${plan.address}connectors/${encodeURIComponent(plan.connector)}/config`;
}

function createWithOffset({ handle: { name }, plan }: Handed, offset: ConnectorOffset): string {
  const at = `${plan.address}connectors`;
  const json = "-H 'content-type: application/json'";
  return `The position is recorded as ${plan.names.reader}: everything before it is published, and nothing after it. Now:

1. Create the connector, stopped (Kafka Connect 3.7 or newer), give it the position as its offset, and start it. Do that before
   the server removes that part of its log, and before anybody alters the table:
   npm run --silent debezium -- ${name} > ${name}-connector.json
   curl -X POST ${json} --data @${name}-connector.json ${at}
   curl -X PATCH ${json} --data '${JSON.stringify(offsetsBody(plan, offset))}' ${at}/${encodeURIComponent(plan.connector)}/offsets
   curl -X PUT ${at}/${encodeURIComponent(plan.connector)}/resume`;
}

/** For `PATCH /connectors/NAME/offsets`. */
function offsetsBody({ config }: Pick<OutboxPlan, "config">, offset: ConnectorOffset): object {
  return { offsets: [{ partition: { server: config["topic.prefix"] }, offset }] };
}

function dropOwnSlot({ handle: { config, store } }: Handed): string {
  if (config.relay?.source !== "cdc" || store.kind !== "postgres") return "";
  const { slot } = config.relay.cdc;
  return `\nThe relay's own slot ${slot} keeps log, too. Drop it: SELECT pg_drop_replication_slot('${slot}');`;
}

/** Why an earlier run's slot, or record of a place, stands in the way of a new one. */
export function leftoverSentence(keeps: OutboxHandover["keeps"], outbox: string, name: string): string {
  const [what, reads] =
    keeps === "slot" ? ["There is a slot", "reads this slot"] : ["A position is recorded as", "begins there"];
  return `${what} ${name}, and outbox ${outbox} is not paused: what its relay publishes now, a connector that ${reads} publishes too. If there is no such connector, ${undo(keeps, name)}, and run this again.`;
}

/** Why no connector can begin where an earlier run ended. */
export function lostSentence(keeps: OutboxHandover["keeps"], name: string, position: string): string {
  return `The server has removed the log after ${position}, the position that was handed over, so no connector can begin there. If none has begun, ${undo(keeps, name)}, and end the pause: the relay continues with what waits.`;
}

function undo(keeps: OutboxHandover["keeps"], name: string): string {
  return keeps === "slot"
    ? `drop the slot (SELECT pg_drop_replication_slot('${name}');)`
    : `delete the row of ${name} from binlog_reader, among the console's own tables`;
}

interface Back {
  from: ChangeOver;
  handle: OutboxHandle;
  debezium: { connector: string; connect: { address: string } };
  names: { reader: string; feed: string };
  handover: Pick<OutboxHandover, "keeps">;
}

/** A person's next steps once every row is marked. */
export function afterToRelay(back: Back): void {
  const { from, handle } = back;
  from.say(`
Every row that the connector published is marked. Do not start the connector again. Now:

1. In outbox.yaml, with the sink and the route that consumers expect:
   outboxes:
     ${handle.name}:
       mode: relay
       relay: { source: polling, sink: …, route: { preset: debezium } }
2. Start the worker again. It publishes what has waited.
${deletions(back)}`);
}

function deletions({ debezium, names, handover }: Back): string {
  const at = `${debezium.connect.address}connectors/${encodeURIComponent(debezium.connector)}`;
  if (handover.keeps === "offset")
    return `3. Delete the connector's offset and the connector, then the topic of its schema history (${debezium.connector}.schema-history, if it
   has that of this program's configuration): the next connector of this name would continue from them.
   curl -X DELETE ${at}/offsets
   curl -X DELETE ${at}`;
  return `3. Delete the connector, then its slot, which keeps log until then, and its publication:
   curl -X DELETE ${at}
   SELECT pg_drop_replication_slot('${names.reader}');
   DROP PUBLICATION "${names.feed.replaceAll('"', '""')}";`;
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
