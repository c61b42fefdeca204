export const PROBED = "The relay probes it and delivers everything in order; there is nothing to retry here.";
export const GOES_ON = "The relay then delivers everything in order; there is nothing to retry here.";

type Remedies = readonly [RegExp, string][];

/** By the first word of its error. */
const REDIS: Remedies = [
  [/\bLOADING Redis\b/, `Wait until the receiver has loaded its data. ${PROBED}`],
  [
    /\bREADONLY You can't write\b/,
    `Write the address of the primary into url in the sink's section of outbox.yaml and restart the worker, or promote this Redis if it has no primary any more: a replica takes no writes. After a failover the relay connects again by itself, to whatever the address leads to. ${GOES_ON}`,
  ],
  [
    /\bOOM command not allowed\b/,
    `Free memory in Redis, or raise its maxmemory: until then it refuses to write. ${PROBED}`,
  ],
  [/\bNOREPLICAS\b/, `Bring the replicas of this Redis back, or lower its min-replicas-to-write. ${PROBED}`],
  [
    /\bWRONGTYPE\b/,
    `Rename the key that the error names: it holds something that is no stream. Or name another stream in relay.route in outbox.yaml and restart the worker. ${GOES_ON}`,
  ],
  [
    /\bexhausted the last possible ID\b/,
    `This stream's newest entry has the highest possible id (perhaps added by hand), so it accepts no more entries. Rename it once its consumers have read it, or name another in relay.route in outbox.yaml and restart the worker. ${GOES_ON}`,
  ],
  [
    /^(?:The stream \S+: )?(?:MOVED|ASK|CROSSSLOT|CLUSTERDOWN)\b/,
    `Point url in the sink's section of outbox.yaml at a Redis that is not part of a cluster and restart the worker: the sink does not support clusters. If this node held the stream until now, move its slot back and the relay resumes. ${GOES_ON}`,
  ],
  [
    /\bMISCONF\b/,
    `Repair what keeps Redis from saving to its disk, which its own log names: until then it refuses to write. ${PROBED}`,
  ],
  [
    /\bmax number of clients reached\b/,
    `Close connections to Redis that nobody needs (CLIENT LIST shows whose they are), or raise its maxclients. ${PROBED}`,
  ],
  [
    /\bBUSY Redis is busy\b/,
    `Wait until the script that runs in Redis has ended, or end it with SCRIPT KILL. ${PROBED}`,
  ],
];

const KAFKA: Remedies = [
  [
    /\b(?:LEADER_NOT_AVAILABLE|NOT_ENOUGH_REPLICAS|KAFKA_STORAGE_ERROR|REPLICA_NOT_AVAILABLE)/,
    `Bring back the brokers that hold the partition, or make room on their disks; kafka-topics --describe with --unavailable-partitions or --under-min-isr-partitions lists what is missing. ${PROBED}`,
  ],
];

const MAKE_ROOM =
  "make room in it (nats stream purge, or consumers that acknowledge where its retention removes what is acknowledged). Waiting helps only if something removes old messages, such as its max_age.";

const NATS: Remedies = [
  [
    /^The stream did not confirm\b/,
    `See with nats stream info whether the stream that takes the subject has no_ack: it then stores messages and confirms none, so switch no_ack off. Otherwise see why the server takes so long; if it needs the time, raise timeout in the sink's section of outbox.yaml and restart the worker. ${PROBED}`,
  ],
  [
    /\bmaximum messages per subject exceeded\b/,
    `Raise max_msgs_per_subject of the stream that takes the subject, or ${MAKE_ROOM} ${PROBED}`,
  ],
  [
    /\bmaximum (?:messages|bytes) exceeded\b/,
    `Raise max_msgs or max_bytes of the stream that takes the subject, or ${MAKE_ROOM} ${PROBED}`,
  ],
  [
    /\bresource limits exceeded for account\b/,
    `Raise the JetStream limits of the account, or remove messages from any of its streams: nats account info shows what it uses. If that does not fall after a purge of one subject, the server still counts what was removed, as nats-server 2.9 does until it is restarted. ${PROBED}`,
  ],
  [
    /\bsealed stream\b/,
    `Let another stream take the subject, after its messages were copied or are no longer needed: a sealed stream never takes messages again. ${PROBED}`,
  ],
  [
    /^JetStream is not available\b|\bJetStream not enabled\b/i,
    `Switch JetStream on in the configuration of the server and for the account of the sink's user, or correct servers in the sink's section of outbox.yaml and restart the worker. ${PROBED}`,
  ],
];

/** An alarm of RabbitMQ stops every publisher. */
const ALARM = /^The broker blocks publishers\b/;

const RABBITMQ: Remedies = [
  [
    ALARM,
    `Free memory or disk at the broker, or let consumers empty its queues: rabbitmqctl status lists the alarm and its limit (vm_memory_high_watermark, disk_free_limit). Until it ends, the broker takes nothing from any publisher. ${PROBED}`,
  ],
  [
    /^The broker did not confirm the message\b/,
    `See whether all nodes of the broker run: a quorum queue without a majority of its members confirms nothing until they are back (rabbitmqctl list_queues name members online). If the broker is merely slow, raise timeout in the sink's section of outbox.yaml and restart the worker. Messages that it has got and not confirmed are sent again: consumers drop repeats by message_id. ${PROBED}`,
  ],
  [
    /\bNOT_ALLOWED - .*(?:limit \(\d+\) is reached|reached the maximum allowed)/,
    `Close connections to RabbitMQ that nobody needs (rabbitmqctl list_connections user vhost client_properties shows whose they are), or raise the limit that the error names: rabbitmqctl set_vhost_limits for a virtual host, set_user_limits for a user. ${PROBED}`,
  ],
  [
    /\bNOT_FOUND - no exchange\b/,
    `Pause the outbox on Relays, create the exchange and bind the queues of all consumers to it, then resume: a queue that is bound later does not get what was sent before. Or correct exchange in the sink's section of outbox.yaml and restart the worker. ${GOES_ON}`,
  ],
  [
    /\bvhost \S+ not found\b/,
    `Create the virtual host that the error names, with its permissions, queues and exchange, or correct the end of url in the sink's section of outbox.yaml and restart the worker. ${PROBED}`,
  ],
];

const ALL = [...KAFKA, ...RABBITMQ, ...REDIS, ...NATS];

/** What a person may do about a broker, in whose own words the error is; null if the error does not say. */
export function brokerRemedy(message: string): string | null {
  return ALL.find(([words]) => words.test(message))?.[1] ?? null;
}

/** True if waiting alone does not help. */
export function asksForRoom(message: string): boolean {
  return [[ALARM] as const, ...NATS].some(([words]) => words.test(message));
}
