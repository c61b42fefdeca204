import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

/** Outboxes with sentinels without a default, bits, and an owner who is an empty text. */
export const CLAIMED_SENTINELS_AND_BITS: readonly ClaimedTable[] = [
  claimed(
    stated(
      "CREATE TABLE fiscal_outbox (id bigserial PRIMARY KEY, tipo_evento text NOT NULL, conteudo jsonb NOT NULL, enviado_em timestamptz, confirmado_em timestamptz, rejeitado_em timestamptz, criado_em timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=tipo_evento payload=conteudo publishedAt?=enviado_em createdAt=criado_em",
      "INSERT INTO fiscal_outbox (tipo_evento,conteudo,enviado_em,confirmado_em,rejeitado_em) VALUES ('a','{}',NULL,NULL,NULL),('a','{}',now(),NULL,NULL),('a','{}',now(),now(),NULL),('a','{}',now(),NULL,now())",
      "1 pending, 2 unknown|in_flight, 3 published, 4 failed|dead|unknown",
    ),
    "SELECT id FROM fiscal_outbox WHERE enviado_em IS NULL",
  ),
  // O is at, in Polish.
  claimed(
    stated(
      "CREATE TABLE urzad_outbox (id bigserial PRIMARY KEY, rodzaj text NOT NULL, tresc jsonb NOT NULL, wyslano_o timestamptz, odrzucono_o timestamptz, utworzono_o timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=rodzaj payload=tresc publishedAt?=wyslano_o createdAt?=utworzono_o",
      "INSERT INTO urzad_outbox (rodzaj,tresc,wyslano_o,odrzucono_o) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),now())",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM urzad_outbox WHERE wyslano_o IS NULL",
  ),
  // Failed later than published.
  claimed(
    stated(
      "CREATE TABLE meter_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, failed_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO meter_outbox (event_type,payload,published_at,failed_at) VALUES ('a','{}',NULL,NULL),('a','{}',now(),NULL),('a','{}',now(),now()-interval '1 h'),('a','{}',now()-interval '1 h',now()),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 published, 4 failed|dead|unknown, 5 failed|dead",
    ),
    "SELECT id FROM meter_outbox WHERE published_at IS NULL AND failed_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE vehicle_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, cancelled_at timestamptz NOT NULL DEFAULT '-infinity', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO vehicle_outbox (event_type,payload,published_at,cancelled_at) VALUES ('a','{}',NULL,'-infinity'),('a','{}',now(),'-infinity'),('a','{}',NULL,now())",
      "1 pending, 2 published, 3 unknown",
    ),
    "SELECT id FROM vehicle_outbox WHERE published_at IS NULL AND cancelled_at = '-infinity'",
  ),
  claimed(
    stated(
      "CREATE TABLE rental_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, dead_at_ms bigint NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO rental_outbox (event_type,payload,published_at,dead_at_ms) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',NULL,1764000000000)",
      "1 pending, 2 published, 3 dead|unknown",
    ),
    "SELECT id FROM rental_outbox WHERE published_at IS NULL AND dead_at_ms = 0",
  ),
  // A sentinel without a default.
  claimed(
    stated(
      "CREATE TABLE deleted_far_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, deleted_at timestamptz NOT NULL, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=published_at createdAt=created_at",
      "INSERT INTO deleted_far_outbox (event_type,payload,published_at,deleted_at) VALUES ('a','{}',NULL,'9999-12-31'),('a','{}',now(),'9999-12-31'),('a','{}',NULL,now()-interval '1 h')",
      "1 pending|unknown, 2 published, 3 unknown",
    ),
    "SELECT id FROM deleted_far_outbox WHERE published_at IS NULL AND deleted_at > {now}",
  ),
  claimed(
    stated(
      "CREATE TABLE order_ship_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, shp_sent_flg char(1) NOT NULL DEFAULT 'N', err_flg char(1) NOT NULL DEFAULT 'N', sent_ts timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt?=sent_ts createdAt=created_at status?=shp_sent_flg",
      "INSERT INTO order_ship_outbox (event_type,payload,shp_sent_flg,err_flg,sent_ts) VALUES ('a','{}','N','N',NULL),('a','{}','Y','N',now()),('a','{}','N','Y',NULL),('a','{}','X','N',NULL)",
      "1 pending, 2 published, 3 failed|dead|unknown, 4 unknown",
    ),
    "SELECT id FROM order_ship_outbox WHERE shp_sent_flg='N' AND err_flg='N'",
  ),
  // An enum says that it bounced.
  claimed(
    stated(
      "CREATE TYPE send_res AS ENUM ('NONE','DELIVERED','BOUNCED'); CREATE TABLE grant_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, published_at timestamptz, delivery_state send_res NOT NULL DEFAULT 'NONE', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt?=published_at status?=delivery_state createdAt=created_at",
      "INSERT INTO grant_outbox (event_type,payload,published_at,delivery_state) VALUES ('a','{}',NULL,'NONE'),('a','{}',now(),'NONE'),('a','{}',now(),'DELIVERED'),('a','{}',now(),'BOUNCED')",
      "1 pending|unknown, 2 published|unknown, 3 published|unknown, 4 failed|dead|unknown",
    ),
    "SELECT id FROM grant_outbox WHERE published_at IS NULL",
  ),
  claimed(
    stated(
      "CREATE TABLE countdown_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent boolean NOT NULL DEFAULT false, attempts int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent attempts=attempts createdAt=created_at",
      "INSERT INTO countdown_outbox (event_type,payload,sent,attempts) VALUES ('a','{}',false,0),('a','{}',true,1),('a','{}',false,-1),('a','{}',false,2)",
      "1 pending, 2 published, 3 dead|unknown, 4 failed",
    ),
    "SELECT id FROM countdown_outbox WHERE NOT sent AND attempts >= 0",
  ),
  claimed(
    stated(
      "CREATE TABLE neg_status_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status text NOT NULL DEFAULT 'PENDING', retries int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status=status attempts=retries createdAt=created_at",
      "INSERT INTO neg_status_outbox (event_type,payload,status,retries) VALUES ('a','{}','PENDING',0),('a','{}','SENT',1),('a','{}','PENDING',-99)",
      "1 pending, 2 published, 3 dead|unknown",
    ),
    "SELECT id FROM neg_status_outbox WHERE status='PENDING' AND retries >= 0",
  ),
  // A list without words.
  claimed(
    stated(
      "CREATE TABLE priorities (id smallint PRIMARY KEY); INSERT INTO priorities VALUES (0),(1); CREATE TABLE lookup_plain_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status smallint NOT NULL DEFAULT 0 REFERENCES priorities(id), created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status=status createdAt=created_at",
      "INSERT INTO lookup_plain_outbox (event_type,payload,status) VALUES ('a','{}',0),('a','{}',1)",
      "1 pending|unknown, 2 unknown|published",
    ),
    "SELECT id FROM lookup_plain_outbox WHERE status = 0",
  ),
  // A status by uuid.
  claimed(
    stated(
      "CREATE TABLE st (id uuid PRIMARY KEY, code text NOT NULL); INSERT INTO st VALUES ('00000000-0000-4000-8000-000000000001','NEW'),('00000000-0000-4000-8000-000000000002','SENT'); CREATE TABLE lookup_uuid_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, status_id uuid NOT NULL REFERENCES st, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload createdAt=created_at status?=status_id",
      "INSERT INTO lookup_uuid_outbox (event_type,payload,status_id) VALUES ('a','{}','$1'),('a','{}','$2')",
      "1 pending|unknown, 2 published|unknown",
    ),
    "SELECT id FROM lookup_uuid_outbox WHERE status_id = '00000000-0000-4000-8000-000000000001'",
  ),
  claimed(
    stated(
      "CREATE TABLE bits_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, is_dead bit(1) NOT NULL DEFAULT B'0', is_active bit(1) NOT NULL DEFAULT B'1', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at",
      "INSERT INTO bits_outbox (event_type,payload,sent_at,is_dead,is_active) VALUES ('a','{}',NULL,B'0',B'1'),('a','{}',now(),B'0',B'1'),('a','{}',NULL,B'1',B'1'),('a','{}',NULL,B'0',B'0')",
      "1 pending, 2 published, 3 dead|unknown, 4 unknown",
    ),
    "SELECT id FROM bits_outbox WHERE sent_at IS NULL AND is_dead=B'0' AND is_active=B'1'",
  ),
  claimed(
    stated(
      "CREATE TABLE varbit_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent varchar(5) NOT NULL DEFAULT 'false', created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload status?=sent createdAt=created_at",
      "INSERT INTO varbit_outbox (event_type,payload,sent) VALUES ('a','{}','false'),('a','{}','true'),('a','{}','error')",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM varbit_outbox WHERE sent = 'false'",
  ),
  // Nobody holds is 1970 and an empty text.
  claimed(
    stated(
      "CREATE TABLE trade_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, locked_at timestamptz NOT NULL DEFAULT '1970-01-01 00:00:00+00', locked_by text NOT NULL DEFAULT '', sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at lockedBy?=locked_by createdAt=created_at",
      "INSERT INTO trade_outbox (event_type,payload,locked_at,locked_by,sent_at) VALUES ('a','{}','1970-01-01 00:00:00+00','',NULL),('a','{}',now(),'w1',NULL),('a','{}','1970-01-01 00:00:00+00','',now())",
      "1 pending, 2 in_flight, 3 published",
    ),
    "SELECT id FROM trade_outbox WHERE sent_at IS NULL AND locked_by = ''",
  ),
  claimed(
    stated(
      "CREATE TABLE owner_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, claimed_by text NOT NULL DEFAULT '', sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at lockedBy?=claimed_by createdAt=created_at",
      "INSERT INTO owner_outbox (event_type,payload,claimed_by,sent_at) VALUES ('a','{}','',NULL),('a','{}','w1',NULL),('a','{}','',now())",
      "1 pending, 2 in_flight|unknown, 3 published",
    ),
    "SELECT id FROM owner_outbox WHERE sent_at IS NULL AND claimed_by = ''",
  ),
  claimed(
    stated(
      "CREATE TABLE hosp_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_ok boolean, sent_at timestamptz, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt?=sent_at createdAt=created_at",
      "INSERT INTO hosp_outbox (event_type,payload,sent_ok,sent_at) VALUES ('a','{}',NULL,NULL),('a','{}',true,now()),('a','{}',false,now())",
      "1 pending, 2 published, 3 failed|dead|unknown",
    ),
    "SELECT id FROM hosp_outbox WHERE sent_at IS NULL",
  ),
  // An error's number, 0 for none.
  claimed(
    stated(
      "CREATE TABLE err_code_outbox (id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, sent_at timestamptz, error_code int NOT NULL DEFAULT 0, created_at timestamptz NOT NULL DEFAULT now())",
      "id=id order?=id eventType=event_type payload=payload publishedAt=sent_at createdAt=created_at lastError?=error_code",
      "INSERT INTO err_code_outbox (event_type,payload,sent_at,error_code) VALUES ('a','{}',NULL,0),('a','{}',now(),0),('a','{}',now(),17),('a','{}',NULL,17)",
      "1 pending, 2 published, 3 failed|dead|unknown, 4 failed|unknown",
    ),
    "SELECT id FROM err_code_outbox WHERE sent_at IS NULL",
  ),
];
