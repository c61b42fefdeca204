/** Meaning of each configuration setting, by its path. A setting without an entry fails the check. */
export const MEANINGS: Record<string, string> = {
  environment: "Shown as a badge on every page and in the health document, for example `production`.",
  autoMigrate:
    "Lets the worker create or update the console's own tables at its start in every store with an outbox that is operated or relayed. In `console.databaseUrl` it creates them where they are missing, and does not update them: after an upgrade run `npm run migrate`.",
  discover: "Look in every store for outbox and inbox tables that are not named here. They are observed only.",
  "console.databaseUrl":
    "The console's own database: samples, findings, the monitor's lease, sessions. Default: the embedded Postgres under `npm start`; otherwise the Postgres store of the first outbox that is not observed; otherwise none.",
  "console.allowedHosts":
    "Host names under which the console is reached, besides loopback and HOST. In lower case, without a port.",
  "console.trustedProxies":
    "Proxies in front of the console whose `X-Forwarded-For` is trusted, as addresses or networks (`10.0.0.0/8`). Wrong passwords are counted by the address found there. This machine is always trusted.",
  "console.keepItems":
    "Time for which the items of an operation over many messages stay after its end. The operation with its counts stays. Not in DynamoDB, where items stay.",
  "console.saveMappings":
    "Whether admins may save a mapping into this file from Settings → Mapping. Each save is recorded in the audit.",
  "console.readOnly":
    "Makes the console read-only for every role: requests that change something are refused with this setting's name. Signing in and out, ending sessions, API tokens and revealing masked values stay possible. Workers continue.",
  "masking.paths":
    "Values that are masked, by where they are in payload, headers or other columns: `customer.email`, `lines.*.note`. A path fits at any depth and in any case, so `email` covers `data.customer.email`.",
  "masking.patterns":
    "Values that are masked by what they look like: `email`, `card` (with a valid check digit), `iban`, `phone` (with a +), `token`, or an `expression` of JavaScript.",
  "masking.types":
    "Event types whose payload and headers are hidden whole. `*` at the end stands for the rest: `payroll.*`.",
  "masking.registry": "Whether values that an outbox's registry marks as sensitive are masked.",
  "masking.default": "`mask` masks every value that `masking.show` does not name.",
  "masking.show": "Paths of the values that are shown where `masking.default` is `mask`.",
  "masking.payloads": "`hidden` shows no payload and no headers unless they are revealed.",
  "masking.errors":
    "`hidden` shows error codes without their texts. Default: `masked`, and `hidden` where `masking.default` is `mask`.",
  "masking.reveal": "The role that may reveal one message, with a reason that the audit keeps; or `nobody`.",
  "tracing.url":
    "Where a trace is shown, with `{traceId}` in it: `https://tracing.example.com/trace/{traceId}`. The page of a message links to it.",
  "tracing.messages":
    "Spans of single messages that failed, were slow or whose own trace is sampled: `link` puts them into the request's trace with a link to the message's, `parent` into the message's trace, `off` leaves them out.",
  "tracing.slow": "Time from which a request to a sink counts as slow.",
  "actions.retry": "`false` switches retry off for every outbox.",
  "actions.dead-letter": "`false` switches dead-letter off for every outbox.",
  "actions.archive": "`false` switches archive off for every outbox.",
  "actions.restore": "`false` switches restore off for every outbox.",
  "actions.purge": "`false` switches purge off for every outbox.",
  "actions.republish": "`false` switches re-publish off for every outbox.",
  "actions.correct": "`false` switches corrected copies off for every outbox.",
  "actions.bulk": "`false` switches operations over more than 100 messages or over a filter off for every outbox.",
  "actions.pause": "`false` switches pausing and resuming the relay off for every outbox.",
  "actions.connector": "`false` switches the actions on a connector of Debezium off for every outbox.",
  "outboxes.<name>.actions.retry": "`false` switches retry off for this outbox.",
  "outboxes.<name>.actions.dead-letter": "`false` switches dead-letter off for this outbox.",
  "outboxes.<name>.actions.archive": "`false` switches archive off for this outbox.",
  "outboxes.<name>.actions.restore": "`false` switches restore off for this outbox.",
  "outboxes.<name>.actions.purge": "`false` switches purge off for this outbox.",
  "outboxes.<name>.actions.republish": "`false` switches re-publish off for this outbox.",
  "outboxes.<name>.actions.correct": "`false` switches corrected copies off for this outbox.",
  "outboxes.<name>.actions.bulk":
    "`false` switches operations over more than 100 messages or over a filter off for this outbox.",
  "outboxes.<name>.actions.pause": "`false` switches pausing and resuming the relay off for this outbox.",
  "outboxes.<name>.actions.connector": "`false` switches the actions on a connector of Debezium off for this outbox.",
  "alerts.linkTo": "Where people reach the console, for example `https://ops.example.com/outbox`. Alerts link to it.",
  "alerts.webhooks.<name>.url": "Where alerts are sent. Only its host is shown in the console.",
  "alerts.webhooks.<name>.format":
    "`json` is the console's own, `slack` a message for an incoming webhook, `pagerduty` an event of its Events API v2.",
  "alerts.webhooks.<name>.outboxes": "Outboxes whose health it reports. Default: all.",
  "alerts.webhooks.<name>.from": "The health status from which alerts are sent; `warn` includes `fail`.",
  "alerts.webhooks.<name>.after":
    "How long the status must last, while a worker looks, before an alert is sent. A shorter one sends none.",
  "alerts.webhooks.<name>.resolveAfter": "How long the status must be better than `from` before the alert is resolved.",
  "alerts.webhooks.<name>.routingKey": "PagerDuty's integration key; needed for `pagerduty`.",
  "alerts.webhooks.<name>.headers": "Headers of each request by name, for example `authorization`.",
  ignoredTables:
    "Tables that the console leaves alone, even if they look like outboxes. Settings → Mapping adds those that are no outboxes.",
  "stores.<name>.kind":
    "The kind of database. `mysql` is MySQL 8 and MariaDB 10.6 or later. A store of `dynamodb` is one account and region; see [stores](stores.md#dynamodb).",
  "stores.<name>.url":
    "Connection URL. Add `pgbouncer=true` to its query for a pooler in transaction mode: session options are then left out and every transaction carries its own limits. A URL of MySQL names a database.",
  "stores.<name>.readUrl": "A replica for lists and details; never for health, counts or checks before an action.",
  "stores.<name>.directUrl": "URL past a pooler. The relay and `npm run migrate` connect here. Default: `url`.",
  "stores.<name>.relayConnections":
    "Most connections that all relays of one worker open to the store together; one relay uses at most 4. Default: 20. For `postgres` and `mysql`.",
  "stores.<name>.schemas":
    "Schemas to look for tables in. Default: of Postgres all but the system's and the console's own, of MySQL the database of the URL.",
  "stores.<name>.ownDatabase":
    "Database of the console's own tables in a MySQL store: claims, attempts, dead letters, audit. `npm run migrate` creates it. Stores whose databases are on one server need one each.",
  "stores.<name>.ownPrefix":
    "Where the account may not create a database: the console's own tables are created in the URL's database, under names that begin with this string.",
  "stores.<name>.region": "Region of AWS. Credentials are found as the AWS SDK finds them: environment, profile, role.",
  "stores.<name>.endpoint":
    "URL of another server that speaks DynamoDB's protocol, without a path, for example `http://127.0.0.1:8000`.",
  "stores.<name>.ownTable":
    "The console's own table in a DynamoDB store: dead letters, archive, audit, operations, and what a relay keeps. `npm run migrate` creates it, billed on demand.",
  "stores.<name>.readUnitsPerMinute":
    "Maximum number of read capacity units that a process takes from the team's tables in a minute: all readings of the console or monitor together, and each relay besides. Readings are repeated less often when they cost more; requests beyond it are refused with the seconds to wait.",
  "stores.<name>.families.<name>.table": "DynamoDB's table that holds the items of this outbox or inbox.",
  "stores.<name>.families.<name>.keyPrefix":
    "Its items are those whose partition key begins with this string, for example `OUTBOX#`. Default: all items of the table.",
  "stores.<name>.families.<name>.attributes":
    "What an attribute holds, one of `text`, `number`, `boolean`, `binary`, `json` (text with JSON, a map or a list), `time` (RFC 3339 text), `seconds` and `milliseconds` (numbers since 1970). DynamoDB itself knows the types of keys only. Only declared attributes can have a role.",
  "stores.<name>.families.<name>.waiting.index":
    "A global secondary index that holds only what waits, because its partition key is an attribute that other items lack.",
  "stores.<name>.families.<name>.waiting.keys":
    "Every value of that partition key. With them, waiting messages are read in the index's order; without, the index is scanned.",
  "stores.<name>.families.<name>.keepPublished.attribute":
    "The attribute by which the table deletes items (its time to live, a number of seconds). Our relay sets it when it marks an item as published.",
  "stores.<name>.families.<name>.keepPublished.days":
    "Days that a published item stays, above 0 and at most 3650. Without `keepPublished` no item is deleted.",
  "outboxes.<name>.store": "Name of the store that holds the table.",
  "outboxes.<name>.table":
    "`schema.table`, or `table` for one in `public`, in MySQL for one in the database of the URL, in DynamoDB the name of an item family.",
  "outboxes.<name>.columns.<role>":
    "The column that plays this role, exactly as the catalog spells it. Roles that are left out are recognised by name.",
  "outboxes.<name>.shape":
    "Slug of a known library, e.g. `gruelbox`, or `none`: whose table this is, if the table's name does not say so.",
  "outboxes.<name>.lifecycle.kind": "How the table records that a message was published.",
  "outboxes.<name>.lifecycle.pending":
    "Status values meaning pending. A retry writes the first. `null`: rows without a status are new; no other list may have it.",
  "outboxes.<name>.lifecycle.inFlight": "Status values meaning that a relay is publishing the message.",
  "outboxes.<name>.lifecycle.failed": "Status values meaning failed.",
  "outboxes.<name>.lifecycle.published": "Status values meaning published. The relay writes the first.",
  "outboxes.<name>.lifecycle.dead": "Status values meaning dead. Dead-lettering writes the first.",
  "outboxes.<name>.lifecycle.expired": "Status values meaning expired: never sent.",
  "outboxes.<name>.timeZone": "Time zone of columns that store none (`timestamp`, 14-digit text).",
  "outboxes.<name>.deadAttempts":
    "Number of attempts from which an unpublished message is dead. Needs an attempts column. Default: `relay.maxAttempts` in mode `relay`; otherwise none, and no number of attempts makes a message dead.",
  "outboxes.<name>.mode":
    "`observe` changes nothing; `operate` allows the actions; `relay` allows them and publishes. `operate` and `relay` need `npm run migrate`.",
  "outboxes.<name>.thresholds.oldestPending.warn":
    "Age of the oldest due message at which health warns and the watchdog reports it as overdue.",
  "outboxes.<name>.thresholds.oldestPending.fail": "Age of the oldest due message at which health fails.",
  "outboxes.<name>.thresholds.dead.warn": "Dead messages at which health warns. 0 switches the limit off.",
  "outboxes.<name>.thresholds.dead.fail": "Dead messages at which health fails. 0 switches the limit off.",
  "outboxes.<name>.thresholds.failed.warn": "Failed messages at which health warns. 0 switches the limit off.",
  "outboxes.<name>.thresholds.failed.fail": "Failed messages at which health fails. 0 switches the limit off.",
  "outboxes.<name>.relay.source":
    "How the relay notices messages: `polling` reads the table, `cdc` reads the database's log (Postgres: logical replication; MySQL and MariaDB: the binary log). `debezium`: no relay here publishes, a connector of Debezium does ([debezium.md](debezium.md)); then the mode is `observe` or `operate`.",
  "outboxes.<name>.relay.connect":
    "Address of Kafka Connect's REST API. A user and a password may stand in it, before the host; they are sent to Connect and never shown.",
  "outboxes.<name>.relay.connector": "Name of the connector that publishes the outbox.",
  "outboxes.<name>.relay.slot":
    "Name of the connector's replication slot, so that it can be watched while Connect cannot be reached. Default: what the connector's configuration says.",
  "outboxes.<name>.relay.otherReaders":
    "Replication slots of other programs that get the table's rows and publish none of them, e.g. a subscription's or a warehouse loader's. The finding `second_publisher` leaves them out. Postgres only.",
  "outboxes.<name>.relay.cdc.slot":
    "Name of the replication slot, or of the reader of the binary log. Default: `outbox_console_<outbox>`.",
  "outboxes.<name>.relay.cdc.publication":
    "Name of the publication that has the table; not used with MySQL and MariaDB. Default: `outbox_console_<outbox>`.",
  "outboxes.<name>.relay.cdc.mark":
    "What happens to a published row: `column` marks it as polling does, `delete` deletes it, `none` leaves it alone (the position in the log is the progress).",
  "outboxes.<name>.relay.notify": "Channel whose NOTIFY wakes an idle relay. It is only a hint; polling continues.",
  "outboxes.<name>.relay.route.preset":
    "`plain`: topic from the row, else the aggregate type. `debezium`: topic, key and headers of Debezium's outbox event router. `cloudevents`: CloudEvents 1.0 attributes.",
  "outboxes.<name>.relay.route.topic":
    "Template of the topic, routing key, subject or stream: `orders.{eventType:lower}`. Names are roles, `route.fields`, or keys of the row's headers; filters are `lower`, `upper`, `prefix`, `suffix`, `kebab` and `snake`. See [sinks.md](sinks.md#routing).",
  "outboxes.<name>.relay.route.key": "Template of the message key. Default: the aggregate's id.",
  "outboxes.<name>.relay.route.headers":
    "More headers, each a template, by name. They replace a preset's header of the same name, but never the event's id; one without a value is left out.",
  "outboxes.<name>.relay.route.fields":
    "More columns of the row, by the names that templates and headers use for them. `debezium` sends each as a header, `cloudevents` as an extension.",
  "outboxes.<name>.relay.route.mode":
    "CloudEvents only: attributes in headers (`binary`), all in one JSON document (`structured`), or an array of those (`batch`, for http with `batch` above 1).",
  "outboxes.<name>.relay.route.source":
    "CloudEvents only: the `source` attribute, a template. Default: `/outboxes/<outbox>`.",
  "outboxes.<name>.relay.sink": "Name of the sink to publish to.",
  "outboxes.<name>.relay.ordering":
    "`aggregate`: messages of one aggregate go out one after another. `none`: no order is kept.",
  "outboxes.<name>.relay.onFailure":
    "`block`: the later messages of a failed message's aggregate wait for it. `pass`: they are published.",
  "outboxes.<name>.relay.onDead":
    "What an aggregate does when the relay dead-letters one of its messages: its other messages are published (`pass`), or it waits until someone acts (`hold`).",
  "outboxes.<name>.relay.maxAttempts": "Failed attempts after which a message is dead-lettered.",
  "outboxes.<name>.relay.retry.initial":
    "Ceiling of the first back-off. Each later one doubles; the wait is random between 50 ms and the ceiling.",
  "outboxes.<name>.relay.retry.max": "Highest ceiling of the back-off.",
  "outboxes.<name>.relay.batchSize":
    "Maximum number of messages in one claim; up to four times as many while each claim scans the table because an index is missing.",
  "outboxes.<name>.relay.concurrency":
    "Maximum number of messages with the sink at once, over all aggregates. For `http` also the number of connections.",
  "outboxes.<name>.relay.lease":
    "Length of the lease on a relay instance's partitions. It is renewed after a third of that; others take over when it expires.",
  "outboxes.<name>.relay.force": "Publish even if another program published rows of this table in the last minute.",
  "outboxes.<name>.corrections":
    "Whether admins may edit a failed or dead message and send a corrected copy in its place. Needs mode `operate` or `relay`; see [messages.md](messages.md#edit-and-retry).",
  "outboxes.<name>.registry":
    "Path of the JSON file that `toJsonSchema()` of the client writes, counted from the folder of this file. The message page then shows what it says of the type, and whether the payload fits; see [messages.md](messages.md#registry).",
  "outboxes.<name>.retention.published.keep":
    "Time that a published row stays; older ones are removed. Nothing is removed unless this is set; see [retention.md](retention.md).",
  "outboxes.<name>.retention.published.then": "Whether an old published row is deleted, or moved into the archive.",
  "outboxes.<name>.retention.archive.keep":
    "Time that an archived message can be restored; older ones are deleted permanently, whoever archived them.",
  "outboxes.<name>.retention.partitions.ahead":
    "Partitions that the worker keeps created beyond the current one. Postgres, ranges of time.",
  "outboxes.<name>.retention.partitions.drop":
    "Drop a partition once every row in it is published and older than `retention.published.keep`.",
  "outboxes.<name>.storage.limitBytes":
    "Space that the table and its indexes may take, in bytes. The Storage page says in how many days it is reached.",
  "inboxes.<name>.store": "Name of the store that holds the table.",
  "inboxes.<name>.table":
    "`schema.table`, or `table` for one in `public`, in MySQL for one in the database of the URL, in DynamoDB the name of an item family.",
  "inboxes.<name>.consumer":
    "The consumer's name, for a table without a column for it. With `processWithin` and such a column, only this consumer's rows count.",
  "inboxes.<name>.outbox":
    "The outbox whose messages arrive here, or a list of them. Default: every outbox's messages are looked up here.",
  "inboxes.<name>.processWithin":
    "Time within which the consumer processes a published message. Published messages are then looked up here. Default: they are not.",
  "inboxes.<name>.eventTypes": "The event types that the consumer takes. Default: all.",
  "inboxes.<name>.retention.keep":
    "Processed rows that are older are removed by the worker; without it none is. At least the time for which its outboxes keep published rows plus the age of their oldest dead message.",
  "inboxes.<name>.keeps":
    "Minimum time for which the table keeps its rows. Default: as far back as its oldest processed row shows.",
  "inboxes.<name>.ignoredColumns":
    "Columns that say nothing of whether a message is processed. Answers the question about a column of unknown meaning.",
  "inboxes.<name>.words.waiting": "Words of its status column of a message that is still to be processed.",
  "inboxes.<name>.words.processed":
    "Words of its status column of a message that was processed. They decide, whatever other columns say.",
  "inboxes.<name>.words.failed": "Words of its status column of a message whose processing failed.",
  "sinks.<name>.kind": "`log` writes one line of JSON per message to the worker's standard output.",
  "sinks.<name>.url":
    "Address of the endpoint, broker or server. A user and password in it are used and never shown. For `http` they become a Basic authorization header.",
  "sinks.<name>.headers": "Headers of every request, for example an authorization token.",
  "sinks.<name>.timeout": "Longest wait for the answer or confirmation.",
  "sinks.<name>.connectTimeout": "Longest wait for a connection.",
  "sinks.<name>.secret":
    "Signs every request as Standard Webhooks do (`webhook-signature`): `whsec_` and base64, or any string without spaces. Several secrets, separated by spaces, each sign.",
  "sinks.<name>.confirms":
    "The statuses that confirm a message, in place of all from 200 to 299: `[202]` where a proxy may answer 200 with its own page, `[200, 409]` for a receiver that answers a repeat with 409 (only with `batch: 1`).",
  "sinks.<name>.batch":
    "Maximum number of events in one request. Above 1 the body is a JSON array of at most 4 MB; four full requests are under way at once, or as many as fit into `relay.concurrency`.",
  "sinks.<name>.redirects":
    "Number of redirects (307, 308) to follow. Any other redirect counts as an outage, because the address is wrong.",
  "sinks.<name>.privateRedirects": "Follow redirects to private, loopback and link-local addresses too.",
  "sinks.<name>.tls": "TLS with the system's authorities (`true`), or with the settings below.",
  "sinks.<name>.tls.ca": "Authorities to trust: PEM text, or the path of a file.",
  "sinks.<name>.tls.cert": "Certificate of this client: PEM text, or the path of a file.",
  "sinks.<name>.tls.key": "Its private key: PEM text, or the path of a file.",
  "sinks.<name>.tls.serverName": "Server name to request and to verify, if it differs from the host.",
  "sinks.<name>.tls.insecure": "Accept any certificate. For tests only.",
  "sinks.<name>.brokers": "Kafka's bootstrap servers, `host:port`.",
  "sinks.<name>.clientId": "Name of this client in the broker's logs and quotas.",
  "sinks.<name>.sasl.mechanism": "How the client signs in.",
  "sinks.<name>.sasl.username": "User name.",
  "sinks.<name>.sasl.password": "Password; never shown.",
  "sinks.<name>.compression": "Compression of record batches.",
  "sinks.<name>.maxMessageBytes": "A larger message is refused before it is sent, as too large.",
  "sinks.<name>.exchange": "Exchange to publish to. Empty is the default exchange: the topic is then a queue's name.",
  "sinks.<name>.exchangeType": "Type of the exchange, used by `declare`.",
  "sinks.<name>.declare": "Declare the exchange as durable if it does not exist.",
  "sinks.<name>.servers": "NATS servers, `host:port`.",
  "sinks.<name>.user": "User name.",
  "sinks.<name>.password": "Password; never shown.",
  "sinks.<name>.token": "Token; never shown.",
  "sinks.<name>.credentials": "Contents of a `.creds` file, or its path.",
  "sinks.<name>.maxLength": "Trim each stream to about this many entries. Default: never.",
  "sinks.<name>.exactLength": "Trim to exactly that many, which costs more.",
  "auth.mode":
    "`none` is accepted on a loopback HOST only; `password`, `oidc` and `proxy` are described in [security](security.md).",
  "auth.users.<name>.hash": "Hash of this person's password. Only this password signs in under the name.",
  "auth.users.<name>.role": "Role in every outbox. Without it the user has only the roles of `outboxes`.",
  "auth.users.<name>.outboxes": "Roles by outbox, which add to the role everywhere.",
  "auth.issuer": "URL of the identity provider, as its discovery document names it. http on loopback only.",
  "auth.clientId": "The console's id at the provider.",
  "auth.clientSecret": "Its secret. Left out for a public client.",
  "auth.url": "Where people reach the console. The redirect URI is this, then `/api/v1/session/oidc/callback`.",
  "auth.scope": "Scopes that are asked for, separated by spaces. `openid` must be one.",
  "auth.nameClaim": "Claim with the name that the audit shows.",
  "auth.rolesClaim":
    "Claim that the rules are matched with, a list or a string. Dots lead into objects: `realm_access.roles`.",
  "auth.roles":
    "Rules by which groups become roles. `*` in `value` stands for any string; `outboxes` limits the role to them. Every rule that matches counts.",
  "auth.default": "Role of whoever matches no rule; `none` refuses them.",
  "auth.clockSkew": "How far the clocks of provider and console may differ.",
  "auth.userHeader": "Header with the person's name, from the proxy.",
  "auth.groupsHeader": "Header with their groups, separated by commas.",
  "auth.secret.header": "Header that holds the secret shared with the proxy.",
  "auth.secret.value": "The secret, at least 16 characters.",
  "auth.peers":
    "Addresses and networks of the proxy. One of `secret` and `peers` is needed; with both, both must be right.",
  "auth.passwords.viewer":
    "Hash of the password that opens the console for reading. At least one role or user needs a hash.",
  "auth.passwords.operator":
    "Hash of the password for reading and for retry, dead-letter, archive, restore, pause and resume.",
  "auth.passwords.admin": "Hash of the password for everything, purge included.",
  "auth.sessionSecret":
    "Seals session cookies; at least 32 characters. Default: derived from the hashes, or from `clientSecret`. With either, a changed password ends the sessions of its role or user.",
};
