/**
 * Words of column and table names by what they mean: English with its abbreviations, Spanish, Portuguese, Italian,
 * German and French. Accents and umlauts are folded. A word may stand in several lists.
 */
const WORDS = {
  event: "event events evt evts ev evento eventos eventi evenement evenements ereignis ereignisse",
  message: "message messages msg msgs mensaje mensajes mensagem mensagens messaggio messaggi nachricht nachrichten",
  outbox: "outbox",
  record: "record rec row item entry registro eintrag enregistrement integration domain int dom",
  broker: "kafka rabbit rabbitmq amqp nats sqs sns broker mq pulsar",
  aggregate: "aggregate aggregates agg aggr agregado aggregat agregat aggregato root",
  entity: "entity ent entidad entidade entita entite entität",
  stream: "stream strm",
  resource: "resource object obj recurso recurs objeto ressource objekt",
  business: "biz business",
  partition: "partition partn particion particao partizione shard",
  group: "group",
  type: "type typ tp tipo kind kd class clase classe klasse art category",
  name: "name nm nombre nome nom bezeichnung",
  action: "operation op action command cmd verb accion acao azione aktion",
  id: "id ids uuid guid ulid uid ident identifier identificador identificativo identifiant kennung",
  key: "key clave chave chiave cle schlüssel",
  payload:
    "payload pld invocation body content contents contenido conteudo contenuto contenu inhalt datos dados dati donnees daten cuerpo corpo corps nutzdaten nutzlast carga envelope",
  data: "data",
  value: "value val valor valore wert valeur",
  format:
    "json jsonb text string str bytes blob bin binary xml avro proto protobuf raw serialized serialised encoded serializado",
  headers:
    "headers header hdr hdrs cabeceras cabecera cabecalho cabecalhos intestazioni entetes entete kopfzeilen kopfdaten",
  metadata: "metadata meta metadatos metadados metadati metadonnees metadaten attributes attrs properties props",
  time: "at on time date ts dt dtm utc tstamp timestamp datetime when gmt en em il le am um fecha datum data hora zeit zeitpunkt momento instant",
  created:
    "created create creation creating creado creada creacion criado criada criacao creato creata creazione cree creee erstellt erstellung erzeugt crt cre crtd angelegt",
  inserted:
    "inserted insert ins added add stored recorded registered enqueued enqueue queued captured logged written put raised insertado inserido registrado registrato eingefügt aufgenommen",
  occurred:
    "occurred occured occur happened ocurrido ocurrio ocorrido ocorreu avvenuto accaduto survenu aufgetreten geschehen",
  updated: "updated update modified changed upd actualizado atualizado aggiornato aktualisiert geändert",
  published:
    "published pub dispatched relayed publicado publicada publicacion publicacao pubblicato pubblicata pubblicazione publie publiee veröffentlicht veröffentlichung publiziert",
  publication: "publication",
  sent: "sent snt shipped forwarded emitted transmitted pushed exported produced delivered acked acknowledged enviado enviada envio despachado entregado entregue inviato inviata invio spedito consegnato envoye envoyee expedie livre transmis envoi gesendet versendet versandt verschickt zugestellt übertragen",
  processed:
    "processed proc handled completed complete completion done applied finished executed flushed procesado procesada procesamiento processado processada processamento elaborato traite verarbeitet erledigt fanned",
  consumed: "consumed consumido consumato consomme konsumiert",
  send: "send publish publishing dispatch deliver delivery process processing relay run retry execute handle start",
  pending: "pending unsent unpublished unprocessed pendiente pendientes pendente pendentes offen",
  received: "received rcv rcvd recv arrived recibido recebido ricevuto recu empfangen eingegangen",
  first: "first seen initial",
  status: "status state stat sts estado stato statut etat zustand situacao estatus phase",
  attempt:
    "attempt attempts att atts attempted tries try retry retries redelivery redeliveries intento intentos reintento reintentos tentativa tentativas tentativi tentativo tentative tentatives versuch versuche essai essais wiederholungen",
  failed: "failed failure failures fail fails fallido fallidos falhas echec fehlversuche",
  count: "count counter cnt ct number num no nr numero nummer nb anzahl qtd qtde cantidad quantidade total times",
  error: "error errors err errs exception exc fault fehler erro erros errore errori erreur erreurs excepcion excecao",
  reason: "reason motivo grund raison causa cause",
  detail: "detail details description desc info text stacktrace detalle detalhe",
  last: "last latest ultimo ultima letzter letzte letztes dernier derniere",
  next: "next proximo proxima siguiente prossimo prossima prochain prochaine nächster nächste nächstes",
  available:
    "available avail visible scheduled schedule sched due eligible disponible disponivel disponibile verfügbar programado agendado geplant fällig planifie",
  after: "after from for since",
  not: "not",
  before: "before",
  lock: "lock locked lease leased claim claimed reserve reserved bloqueado travado bloccato verrouille gesperrt reservado",
  until: "until till hasta ate fino bis jusque",
  expire: "expires expire expiry expiration expired exp expira vence scade ablauf",
  valid: "valid gültig valido valide",
  by: "by owner holder por par von",
  sequence: "sequence seq position pos offset ordinal ordering secuencia sequencia sequenza reihenfolge",
  global: "global",
  topic: "topic topics destination dest exchange destino destinazione ziel topico",
  routing: "routing",
  channel: "channel queue",
  address: "address target",
  trace: "trace traceparent",
  flag: "is has was flag indicator ind yn",
  filler: "de del da do di du des der die das dem the of la en em il le am um tbl t",
  identity: "identity",
  consumer:
    "consumer handler subscriber listener subscription service processor consumidor consumatore consommateur verbraucher konsument",
  dedupe: "idempotency idempotent dedup dedupe deduplication",
} as const;

export type Concept = keyof typeof WORDS;

/** A name without accents; `ß` as `ss`. */
export function unaccented(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ß", "ss");
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

function dictionary(): ReadonlyMap<string, readonly Concept[]> {
  const found = new Map<string, Concept[]>();
  for (const [concept, words] of Object.entries(WORDS) as [Concept, string][]) {
    for (const word of words.split(" ")) {
      const written = word.replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter);
      for (const spelling of new Set([unaccented(word), written])) {
        found.set(spelling, [...(found.get(spelling) ?? []), concept]);
      }
    }
  }
  return found;
}

/** What a word can mean. */
export const CONCEPTS = dictionary();
