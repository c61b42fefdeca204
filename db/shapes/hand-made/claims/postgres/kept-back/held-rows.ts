import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes whose rows a publisher holds, whose tries are counted down, or whose marks say less than their names. */
export const CLAIMED_HELD_ROWS: readonly ClaimedTable[] = [
  // Brazilian: tries are counted down beside a flag, its time and an error.
  claimed(
    stated(
      "CREATE TABLE fila_saida_eventos (id uuid PRIMARY KEY, agregado text NOT NULL, agregado_id text NOT NULL, evento text NOT NULL, dados jsonb NOT NULL, criado_em timestamptz NOT NULL DEFAULT now(), processado boolean NOT NULL DEFAULT false, processado_em timestamptz, tentativas_restantes int NOT NULL DEFAULT 5, erro jsonb)",
      "id=id aggregateType=agregado aggregateId=agregado_id eventType=evento payload=dados createdAt=criado_em publishedAt=processado_em lastError=erro",
      `INSERT INTO fila_saida_eventos (id,agregado,agregado_id,evento,dados,processado,processado_em,tentativas_restantes,erro) VALUES ('$1','P','1','a','{}',false,NULL,5,NULL),('$2','P','2','a','{}',true,now(),4,'{"m":"x"}'),('$3','P','3','a','{}',false,NULL,2,'{"m":"x"}'),('$4','P','4','a','{}',false,NULL,0,'{"m":"x"}')`,
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    "SELECT id FROM fila_saida_eventos WHERE NOT processado AND tentativas_restantes > 0",
  ),
  // The same beside a status.
  claimed(
    stated(
      "CREATE TABLE sync_outbox (id uuid PRIMARY KEY, entity text NOT NULL, entity_id text NOT NULL, op text NOT NULL, doc jsonb NOT NULL, status text NOT NULL DEFAULT 'OPEN' CHECK (status IN ('OPEN','DONE')), retries_left int NOT NULL DEFAULT 3, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id aggregateType=entity aggregateId=entity_id eventType=op payload=doc status=status createdAt=created_at",
      "INSERT INTO sync_outbox (id,entity,entity_id,op,doc,status,retries_left) VALUES ('$1','I','1','up','{}','OPEN',3),('$2','I','1','up','{}','DONE',2),('$3','I','1','up','{}','OPEN',1),('$4','I','1','up','{}','OPEN',0)",
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    "SELECT id FROM sync_outbox WHERE status = 'OPEN' AND retries_left > 0",
  ),
  // A lease beside a status without a word for it.
  claimed(
    stated(
      "CREATE TABLE tenant_outbox (id bigint PRIMARY KEY, topic text NOT NULL, key text, value jsonb NOT NULL, state text NOT NULL DEFAULT 'ready', attempts int NOT NULL DEFAULT 0, locked_until timestamptz, locked_by text, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id topic=topic aggregateId=key payload=value status=state attempts=attempts lockedUntil=locked_until lockedBy=locked_by createdAt=created_at order?=id",
      "INSERT INTO tenant_outbox (id,topic,value,state,attempts,locked_until,locked_by) VALUES (1,'t','{}','ready',0,NULL,NULL),(2,'t','{}','sent',1,NULL,NULL),(3,'t','{}','parked',8,NULL,NULL),(4,'t','{}','ready',0,now()+interval '1 hour','w'),(5,'t','{}','ready',2,now()-interval '1 hour','w')",
      "1 pending, 2 published, 3 dead, 4 in_flight, 5 failed",
    ),
    "SELECT id FROM tenant_outbox WHERE state = 'ready' AND (locked_until IS NULL OR locked_until < {now})",
  ),
  // Laravel: a final failure and a reservation, each as a time.
  claimed(
    stated(
      "CREATE TABLE outbox_events (id char(26) PRIMARY KEY, name varchar(255) NOT NULL, payload json NOT NULL, attempts smallint NOT NULL DEFAULT 0, reserved_at timestamp, dispatched_at timestamp, failed_at timestamp, exception text, created_at timestamp DEFAULT now())",
      "id=id eventType=name payload=payload attempts=attempts publishedAt=dispatched_at lastError=exception createdAt=created_at",
      "INSERT INTO outbox_events (id,name,payload,attempts,reserved_at,dispatched_at,failed_at) VALUES ('01A','a','{}',0,NULL,NULL,NULL),('01B','a','{}',1,NULL,now(),NULL),('01C','a','{}',2,NULL,NULL,NULL),('01D','a','{}',5,NULL,NULL,now()),('01E','a','{}',1,now() AT TIME ZONE 'UTC',NULL,NULL),('01F','a','{}',1,now()-interval '2 days',NULL,NULL)",
      "01A pending, 01B published, 01C failed, 01D dead|failed, 01E in_flight, 01F failed",
    ),
    "SELECT trim(id) FROM outbox_events WHERE dispatched_at IS NULL AND failed_at IS NULL AND (reserved_at IS NULL OR reserved_at < now() - interval '1 day')",
  ),
  // Handed over and confirmed: one of the two says too little.
  claimed(
    stated(
      "CREATE TABLE msg_outbox (id uuid PRIMARY KEY, msg_type text NOT NULL, msg jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, acked_at timestamptz)",
      "id=id eventType=msg_type payload=msg createdAt=created_at publishedAt=sent_at",
      "INSERT INTO msg_outbox (id,msg_type,msg,sent_at,acked_at) VALUES ('$1','a','{}',NULL,NULL),('$2','a','{}',now(),now()),('$3','a','{}',now(),NULL)",
      "$1 pending, $2 published, $3 unknown|in_flight",
    ),
    "SELECT id FROM msg_outbox WHERE sent_at IS NULL",
  ),
  // Go: the zero time in place of a null.
  claimed(
    stated(
      "CREATE TABLE outbox_messages (id bigserial PRIMARY KEY, created_at timestamptz DEFAULT now(), topic text, payload bytea, sent_at timestamptz)",
      "id=id topic=topic payload=payload createdAt=created_at publishedAt=sent_at order?=id",
      "INSERT INTO outbox_messages (topic,payload,sent_at) VALUES ('t','x','0001-01-01 00:00:00+00'),('t','x',now())",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM outbox_messages WHERE sent_at = '0001-01-01 00:00:00+00'",
  ),
  // A code that says the type, a lock without an end, and a number as the key.
  claimed(
    stated(
      "CREATE TABLE warehouse_outbox (outbox_no bigserial PRIMARY KEY, event_code text NOT NULL, document jsonb NOT NULL, picked_by text, delivered_on timestamptz, recorded timestamptz NOT NULL DEFAULT now())",
      "id=outbox_no eventType=event_code payload=document lockedBy=picked_by publishedAt=delivered_on createdAt=recorded order?=outbox_no",
      "INSERT INTO warehouse_outbox (event_code,document,picked_by,delivered_on) VALUES ('a','{}',NULL,NULL),('a','{}','w',now()),('a','{}','w',NULL)",
      "1 pending, 2 published, 3 in_flight",
    ),
    "SELECT outbox_no FROM warehouse_outbox WHERE delivered_on IS NULL AND picked_by IS NULL",
  ),
  // Named after the broker; what it returned waits for a person.
  claimed(
    stated(
      "CREATE TABLE mq_outgoing (msg_id uuid PRIMARY KEY, routing_key text NOT NULL, body bytea NOT NULL, nack_count int NOT NULL DEFAULT 0, returned boolean NOT NULL DEFAULT false, inserted_on timestamptz NOT NULL DEFAULT now(), published_on timestamptz)",
      "id=msg_id topic=routing_key payload=body attempts=nack_count createdAt=inserted_on publishedAt=published_on",
      "INSERT INTO mq_outgoing (msg_id,routing_key,body,nack_count,returned,published_on) VALUES ('$1','k','x',0,false,NULL),('$2','k','x',0,false,now()),('$3','k','x',2,false,NULL),('$4','k','x',0,true,NULL)",
      "$1 pending, $2 published, $3 failed, $4 failed|dead",
    ),
    "SELECT msg_id FROM mq_outgoing WHERE published_on IS NULL AND NOT returned",
  ),
  // Portuguese prefixes: the state is a code of one letter, which only its team can explain.
  claimed(
    stated(
      "CREATE TABLE outbox_mensagem (cod_mensagem bigserial PRIMARY KEY, tp_mensagem varchar(40) NOT NULL, ds_conteudo text NOT NULL, in_situacao char(1) NOT NULL DEFAULT 'A' CHECK (in_situacao IN ('A','E','X')), dh_inclusao timestamp NOT NULL DEFAULT now(), dh_envio timestamp)",
      "id=cod_mensagem eventType=tp_mensagem payload=ds_conteudo status=in_situacao createdAt=dh_inclusao publishedAt=dh_envio order?=cod_mensagem",
      "INSERT INTO outbox_mensagem (tp_mensagem,ds_conteudo,in_situacao,dh_envio) VALUES ('a','x','A',NULL),('a','x','E',now()),('a','x','X',NULL)",
      "1 pending, 2 published|unknown, 3 dead|unknown",
    ),
    "SELECT cod_mensagem FROM outbox_mensagem WHERE in_situacao = 'A'",
  ),
  // Given up by a time whose name has two words.
  claimed(
    stated(
      `CREATE TABLE "GivenUpOutbox" ("Id" uuid PRIMARY KEY, "EventType" text NOT NULL, "Payload" jsonb NOT NULL, "CreatedAt" timestamptz NOT NULL DEFAULT now(), "SentAt" timestamptz, "GaveUpAt" timestamptz, "FailCount" int NOT NULL DEFAULT 0)`,
      "id=Id eventType=EventType payload=Payload createdAt=CreatedAt publishedAt=SentAt attempts=FailCount",
      `INSERT INTO "GivenUpOutbox" ("Id","EventType","Payload","SentAt","GaveUpAt","FailCount") VALUES ('$1','a','{}',NULL,NULL,0),('$2','a','{}',now(),NULL,0),('$3','a','{}',NULL,NULL,1),('$4','a','{}',NULL,now(),3)`,
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    `SELECT "Id" FROM "GivenUpOutbox" WHERE "SentAt" IS NULL AND "GaveUpAt" IS NULL`,
  ),
  // The row's own limit of failures.
  claimed(
    stated(
      "CREATE TABLE outbox_limits (id uuid PRIMARY KEY, kind text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent_at timestamptz, fail_count int NOT NULL DEFAULT 0, max_fail_count int NOT NULL DEFAULT 3)",
      "id=id eventType=kind payload=payload createdAt=created_at publishedAt=sent_at attempts=fail_count",
      "INSERT INTO outbox_limits (id,kind,payload,sent_at,fail_count) VALUES ('$1','a','{}',NULL,0),('$2','a','{}',now(),0),('$3','a','{}',NULL,1),('$4','a','{}',NULL,3)",
      "$1 pending, $2 published, $3 failed, $4 dead",
    ),
    "SELECT id FROM outbox_limits WHERE sent_at IS NULL AND fail_count < max_fail_count",
  ),
  // Seconds since 1970 in columns whose names say no time, with 0 for "at once".
  claimed(
    stated(
      "CREATE TABLE outbound_events (event_uuid uuid PRIMARY KEY, source text NOT NULL, event_type text NOT NULL, json text NOT NULL, sent smallint NOT NULL DEFAULT 0, next_try bigint NOT NULL DEFAULT 0, tries smallint NOT NULL DEFAULT 0, created bigint NOT NULL)",
      "id=event_uuid eventType=event_type payload=json status=sent availableAt=next_try attempts=tries createdAt=created",
      "INSERT INTO outbound_events VALUES ('$1','s','a','x',0,0,0,1767225600),('$2','s','a','x',1,0,1,1767225600),('$3','s','a','x',0,extract(epoch FROM now())::bigint + 600,2,1767225600)",
      "$1 pending, $2 published, $3 failed",
    ),
    "SELECT event_uuid FROM outbound_events WHERE sent = 0 AND next_try <= extract(epoch FROM clock_timestamp())",
  ),
  // A prefix that means nothing, before all columns but one.
  claimed(
    stated(
      "CREATE TABLE ce_outbox (ce_id text PRIMARY KEY, ce_source text NOT NULL, ce_type text NOT NULL, ce_time timestamptz NOT NULL DEFAULT now(), ce_data jsonb NOT NULL, dispatched_at timestamptz)",
      "id=ce_id eventType=ce_type payload=ce_data createdAt=ce_time publishedAt=dispatched_at",
      "INSERT INTO ce_outbox (ce_id,ce_source,ce_type,ce_data,dispatched_at) VALUES ('a','s','a','{}',NULL),('b','s','a','{}',now())",
      "a pending, b published",
    ),
    "SELECT ce_id FROM ce_outbox WHERE dispatched_at IS NULL",
  ),
];
