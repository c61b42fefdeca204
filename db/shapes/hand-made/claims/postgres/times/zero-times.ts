import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Placeholders that only the rows show, and limits, claims and flags in forms that the types do not tell. */
export const CLAIMED_ZERO_TIMES: readonly ClaimedTable[] = [
  // A flag, and its time with a placeholder that no default shows.
  claimed(
    stated(
      "CREATE TABLE pflag_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published boolean NOT NULL, published_at timestamptz NOT NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO pflag_outbox (event_type,payload,published,published_at) VALUES ('a','{}',false,'0001-01-01'),('a','{}',true,now()),('a','{}',false,now()),('a','{}',true,'0001-01-01')",
      "1 pending, 2 published, 3 unknown, 4 unknown",
    ),
    "SELECT id FROM pflag_outbox WHERE NOT published",
  ),
  // A status that may be the subject's, and a time with a placeholder.
  claimed(
    stated(
      "CREATE TABLE psubject_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL, sent_at timestamptz NOT NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=status publishedAt=sent_at",
      "INSERT INTO psubject_outbox (event_type,payload,status,sent_at) VALUES ('a','{}','NEW','0001-01-01'),('a','{}','COMPLETED',now()),('a','{}','COMPLETED','0001-01-01')",
      "1 pending, 2 published, 3 unknown|pending",
    ),
    "SELECT id FROM psubject_outbox WHERE sent_at < '1971-01-01'",
  ),
  // A status and milliseconds that are 0 until it is sent.
  claimed(
    stated(
      "CREATE TABLE pmillis_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW', sent_at bigint NOT NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=status publishedAt=sent_at",
      "INSERT INTO pmillis_outbox (event_type,payload,status,sent_at) VALUES ('a','{}','NEW',0),('a','{}','SENT',1764000000000),('a','{}','SENT',0)",
      "1 pending, 2 published, 3 published|unknown",
    ),
    "SELECT id FROM pmillis_outbox WHERE status='NEW'",
  ),
  // By a due time in the year 1 the relay gives up.
  claimed(
    stated(
      "CREATE TABLE py1_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, retry_count int NOT NULL DEFAULT 0, next_retry_at timestamptz NOT NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at attempts=retry_count availableAt=next_retry_at",
      "INSERT INTO py1_outbox (event_type,payload,published_at,retry_count,next_retry_at) VALUES ('a','{}',NULL,0,now()),('a','{}',now(),0,now()),('a','{}',NULL,2,now()),('a','{}',NULL,5,'0001-01-01')",
      "1 pending, 2 published, 3 failed, 4 unknown|dead",
    ),
    "SELECT id FROM py1_outbox WHERE published_at IS NULL AND next_retry_at > '1971-01-01' AND next_retry_at <= {now}",
  ),
  // By a due time of 0 the relay gives up.
  claimed(
    stated(
      "CREATE TABLE pdue0_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, retry_count int NOT NULL DEFAULT 0, next_retry_at bigint)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at attempts=retry_count availableAt=next_retry_at",
      "INSERT INTO pdue0_outbox (event_type,payload,published_at,retry_count,next_retry_at) VALUES ('a','{}',NULL,0,NULL),('a','{}',now(),0,NULL),('a','{}',NULL,2,1764000000000),('a','{}',NULL,5,0)",
      "1 pending, 2 published, 3 failed, 4 unknown|dead",
    ),
    "SELECT id FROM pdue0_outbox WHERE published_at IS NULL AND (next_retry_at IS NULL OR next_retry_at > 0)",
  ),
  // A status, and the due time in the year 1.
  claimed(
    stated(
      "CREATE TABLE py1s_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'PENDING', retry_count int NOT NULL DEFAULT 0, next_retry_at timestamptz NOT NULL DEFAULT now())",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=status attempts=retry_count availableAt=next_retry_at",
      "INSERT INTO py1s_outbox (event_type,payload,status,retry_count,next_retry_at) VALUES ('a','{}','PENDING',0,now()),('a','{}','PUBLISHED',0,now()),('a','{}','PENDING',2,now()),('a','{}','PENDING',5,'0001-01-01')",
      "1 pending, 2 published, 3 failed, 4 unknown|dead",
    ),
    "SELECT id FROM py1s_outbox WHERE status='PENDING' AND next_retry_at > '1971-01-01'",
  ),
  // A deadline of 0 is none.
  claimed(
    stated(
      "CREATE TABLE pdead0_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, deadline bigint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO pdead0_outbox (event_type,payload,published_at,deadline) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1577836800000)",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM pdead0_outbox WHERE published_at IS NULL AND deadline = 0",
  ),
  // Send by, in milliseconds.
  claimed(
    stated(
      "CREATE TABLE psendby_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, publish_by bigint)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO psendby_outbox (event_type,payload,published_at,publish_by) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,1577836800000)",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM psendby_outbox WHERE published_at IS NULL AND publish_by IS NULL",
  ),
  // Send by, on a day.
  claimed(
    stated(
      "CREATE TABLE psendday_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, deliver_by date)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO psendday_outbox (event_type,payload,published_at,deliver_by) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'2020-01-01')",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM psendday_outbox WHERE published_at IS NULL AND (deliver_by IS NULL OR deliver_by >= current_date)",
  ),
  // Send by, with a placeholder that no default shows.
  claimed(
    stated(
      "CREATE TABLE psendmust_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, must_send_by timestamptz NOT NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO psendmust_outbox (event_type,payload,published_at,must_send_by) VALUES ('a','{}',NULL,'9999-12-31'),('a','{}',now(),'9999-12-31'),('a','{}',NULL,'2020-01-01')",
      "1 pending, 2 published, 3 expired|unknown",
    ),
    "SELECT id FROM psendmust_outbox WHERE published_at IS NULL AND must_send_by > {now}",
  ),
  // A flag of 0 and 1 that nothing limits to these.
  claimed(
    stated(
      "CREATE TABLE pshadow_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, shadow int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO pshadow_outbox (event_type,payload,published_at,shadow) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM pshadow_outbox WHERE published_at IS NULL AND shadow=0",
  ),
  // The same, of which a new row has none.
  claimed(
    stated(
      "CREATE TABLE pcanary_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW', canary smallint)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=status",
      "INSERT INTO pcanary_outbox (event_type,payload,status,canary) VALUES ('a','{}','NEW',NULL),('a','{}','SENT',0),('a','{}','NEW',1)",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM pcanary_outbox WHERE status='NEW' AND canary IS DISTINCT FROM 1",
  ),
  // Shards are no flags.
  claimed(
    stated(
      "CREATE TABLE pshard_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, shard int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO pshard_outbox (event_type,payload,published_at,shard) VALUES ('a','{}',NULL,0),('a','{}',now(),1),('a','{}',NULL,7)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM pshard_outbox WHERE published_at IS NULL",
  ),
  // The time of a claim as a text.
  claimed(
    stated(
      "CREATE TABLE pclaimtext_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, locked_at text)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO pclaimtext_outbox (event_type,payload,published_at,locked_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'2020-01-01T00:00:00Z')",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM pclaimtext_outbox WHERE published_at IS NULL AND (locked_at IS NULL OR locked_at::timestamptz < {now} - interval '5 min')",
  ),
  // The day of a claim.
  claimed(
    stated(
      "CREATE TABLE pclaimday_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL DEFAULT 'NEW', locked_at date)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=status",
      "INSERT INTO pclaimday_outbox (event_type,payload,status,locked_at) VALUES ('a','{}','NEW',NULL),('a','{}','SENT',NULL),('a','{}','NEW','2020-01-01')",
      "1 pending, 2 published, 3 pending|unknown",
    ),
    "SELECT id FROM pclaimday_outbox WHERE status='NEW' AND (locked_at IS NULL OR locked_at < current_date)",
  ),
  // Expiries in 1900 and 1970 are none.
  claimed(
    stated(
      "CREATE TABLE pexpiry_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, expires_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at expiresAt=expires_at",
      "INSERT INTO pexpiry_outbox (event_type,payload,published_at,expires_at) VALUES ('a','{}',NULL,'1900-01-01'),('a','{}',now(),NULL),('a','{}',NULL,'2020-01-01'),('a','{}',NULL,'1970-01-01')",
      "1 pending, 2 published, 3 expired, 4 pending",
    ),
    "SELECT id FROM pexpiry_outbox WHERE published_at IS NULL AND (expires_at IS NULL OR expires_at < '1971-01-01' OR expires_at > {now})",
  ),
  // A code of processing that has more than two values.
  claimed(
    stated(
      "CREATE TABLE pproc_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), proc_cd char(1) NOT NULL DEFAULT '0' CHECK (proc_cd IN ('0','1','2','9')), proc_ts timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=proc_ts",
      "INSERT INTO pproc_outbox (event_type,payload,proc_cd,proc_ts) VALUES ('a','{}','0',NULL),('a','{}','1',NULL),('a','{}','2',now()),('a','{}','9',now())",
      "1 pending, 2 in_flight|unknown, 3 published|unknown, 4 dead|failed|unknown",
    ),
    "SELECT id FROM pproc_outbox WHERE proc_cd='0'",
  ),
  // The receiver's answer beside a flag of 0 and 1.
  claimed(
    stated(
      "CREATE TABLE panswer_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), last_http_status int, finished smallint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=finished",
      "INSERT INTO panswer_outbox (event_type,payload,last_http_status,finished) VALUES ('a','{}',NULL,0),('a','{}',200,1),('a','{}',503,0),('a','{}',404,1)",
      "1 pending, 2 published, 3 failed|unknown, 4 dead|unknown",
    ),
    "SELECT id FROM panswer_outbox WHERE finished=0",
  ),
  // A flag that no default tells beside a status of the subject.
  claimed(
    stated(
      "CREATE TABLE pexported_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), status text NOT NULL, exported smallint NOT NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status?=status",
      "INSERT INTO pexported_outbox (event_type,payload,status,exported) VALUES ('a','{}','CAPTURED',0),('a','{}','CAPTURED',1),('a','{}','FAILED',1)",
      "1 pending|unknown, 2 published|unknown, 3 published|unknown",
    ),
    "SELECT id FROM pexported_outbox WHERE exported=0",
  ),
  // Words of a flag that only the rows show.
  claimed(
    stated(
      "CREATE TABLE pword_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz, compensated varchar(5) NOT NULL)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=dispatched_at",
      "INSERT INTO pword_outbox (event_type,payload,dispatched_at,compensated) VALUES ('a','{}',NULL,'false'),('a','{}',now(),'false'),('a','{}',NULL,'true')",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM pword_outbox WHERE dispatched_at IS NULL AND compensated='false'",
  ),
  // Nobody holds a row until the year 9999.
  claimed(
    stated(
      "CREATE TABLE punlocked_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, locked_until timestamptz NOT NULL DEFAULT '9999-12-31')",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO punlocked_outbox (event_type,payload,published_at,locked_until) VALUES ('a','{}',NULL,'9999-12-31'),('a','{}',now(),'9999-12-31'),('a','{}',NULL,now() + interval '1 hour')",
      "1 pending, 2 published, 3 in_flight|unknown",
    ),
    "SELECT id FROM punlocked_outbox WHERE published_at IS NULL AND locked_until = '9999-12-31'",
  ),
  // Partitions are no flags.
  claimed(
    stated(
      "CREATE TABLE ppart_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, partition_no int NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at",
      "INSERT INTO ppart_outbox (event_type,payload,published_at,partition_no) VALUES ('a','{}',NULL,0),('a','{}',now(),1),('a','{}',NULL,1)",
      "1 pending, 2 published, 3 pending",
    ),
    "SELECT id FROM ppart_outbox WHERE published_at IS NULL",
  ),
  // A claim until the year 9999 that only the rows show.
  claimed(
    stated(
      "CREATE TABLE pkept_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz, locked_until timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=published_at lockedUntil=locked_until",
      "INSERT INTO pkept_outbox (event_type,payload,published_at,locked_until) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',NULL,'9999-12-31'),('a','{}',NULL,now() + interval '1 hour')",
      "1 pending, 2 published, 3 pending|unknown, 4 in_flight",
    ),
    "SELECT id FROM pkept_outbox WHERE published_at IS NULL AND (locked_until IS NULL OR locked_until < {now})",
  ),
  // The receiver's confirmation beside a flag of 0 and 1.
  claimed(
    stated(
      "CREATE TABLE packed_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent smallint NOT NULL DEFAULT 0, acknowledged smallint NOT NULL DEFAULT 0)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=sent",
      "INSERT INTO packed_outbox (event_type,payload,sent,acknowledged) VALUES ('a','{}',0,0),('a','{}',1,0),('a','{}',1,1)",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM packed_outbox WHERE sent=0",
  ),
  // The same as a boolean.
  claimed(
    stated(
      "CREATE TABLE packedb_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), sent char(1) NOT NULL DEFAULT 'N', acknowledged boolean NOT NULL DEFAULT false)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id status=sent publishedAt?=acknowledged",
      "INSERT INTO packedb_outbox (event_type,payload,sent,acknowledged) VALUES ('a','{}','N',false),('a','{}','Y',false),('a','{}','Y',true)",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM packedb_outbox WHERE sent='N'",
  ),
  // A return code without a name.
  claimed(
    stated(
      "CREATE TABLE prc_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), rc smallint, sent_at timestamptz)",
      "id=id eventType=event_type payload=payload createdAt=created_at order?=id publishedAt=sent_at",
      "INSERT INTO prc_outbox (event_type,payload,rc,sent_at) VALUES ('a','{}',NULL,NULL),('a','{}',0,now()),('a','{}',8,now())",
      "1 pending, 2 published|unknown, 3 failed|dead|unknown",
    ),
    "SELECT id FROM prc_outbox WHERE sent_at IS NULL",
  ),
];
