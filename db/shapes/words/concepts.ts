/**
 * Words of column and table names by what they mean: English with its abbreviations, Spanish, Portuguese, Italian,
 * German, French, Dutch and Polish, and usual words in Turkish, Czech, Finnish and Indonesian, and Russian, Ukrainian,
 * Japanese and Chinese in Latin letters.
 * Accents and umlauts are folded. A word may stand in several lists.
 */
const WORDS = {
  event:
    "event events evt evts ev evento eventos eventi evenement evenements ereignis ereignisse gebeurtenis gebeurtenissen zdarzenie zdarzenia handelse handelser hendelse hendelser haendelse haendelser olay olaylar olaylari sobytie sobytiya sobytij sobytiy udalost udalosti zdarzen peristiwa kejadian tapahtuma tapahtumat tapahtuman podii podij podiya olayi zdarzeniu evenementen esemeny esemenyek eveniment evenimente dogadjaj dogadjaji dogadaj dogadaji",
  message:
    "message messages msg msgs mensaje mensajes mensagem mensagens messaggio messaggi nachricht nachrichten bericht berichten wiadomosc wiadomosci komunikat komunikaty meddelande meddelanden meddelelse meddelelser melding meldinger besked beskeder mesaj mesajlar mesajlari ileti iletiler soobschenie soobshchenie soobscheniya soobshcheniya soobscheniy zprava zpravy pesan viesti viestit xiaoxi mesaji komunikatu komunikatow mesajin povidomlennya zpravu uzenet uzenetek mesaje poruka poruke sprava spravy",
  outbox: "outbox",
  record: "record rec row item entry registro eintrag enregistrement integration domain int dom",
  broker:
    "kafka rabbit rabbitmq amqp nats sqs sns broker mq pulsar mqtt kinesis pubsub eventhub servicebus eventbridge rocketmq activemq artemis jms nsq",
  aggregate: "aggregate aggregates agg aggr agregado aggregat agregat aggregato root agregatu aggregaat",
  entity:
    "entity ent entidad entidade entita entite entität fachobjekt geschaeftsobjekt varlik entiteit entitas arende sag",
  stream: "stream strm",
  subject: "subject",
  resource: "resource object obj recurso recurs objeto ressource objekt objet oggetto obiekt obiektu",
  business: "biz business",
  partition: "partition partn particion particao partizione shard ordering",
  group: "group",
  type: "type typ tp tpo tipo kind kd class clase classe klasse art category rodzaj soort tip tipi turu shubetsu typu jenis tyyppi leixing kbn kubun tyyppinen syubetsu tipus tipusa vrsta loai",
  name: "name nm nombre nome nom bezeichnung naam nazwa adi nazev",
  action: "operation op action command cmd verb accion acao azione aktion commands",
  id: "id ids uuid guid ulid uid ident identifier identificador identificativo identifiant kennung identyfikator kimlik kimligi",
  key: "key clave chave chiave cle schlüssel sleutel klucz anahtar anahtari klyuch avain klic kunci nyckel nokkel kulcs cheie kljuc kluc",
  payload:
    "payload pld invocation body content contents contenido conteudo contenuto contenu inhalt datos dados dati donnees daten cuerpo corpo corps nutzdaten nutzlast carga envelope inhoud gegevens tresc dane zawartosc bdy innehall indhold innhold ladunek icerik icerigi veri govde dannye soderzhimoe telo naiyo obsah isi muatan sisalto neirong govdesi vmist naiyou sodrzhanie honbun obsahu cn tartalom continut sadrzaj yuk",
  data: "data shuju dat adat podaci",
  value: "value val vl vlr valor valore wert valeur doc document dokument documento",
  format:
    "json jsonb text txt string str bytes blob bin binary xml avro proto protobuf raw serialized serialised encoded serializado tx",
  packed:
    "compressed gz gzip gzipped zip zipped zlib zstd lz4 snappy deflated encrypted enc cipher sealed protected protegido protegida cifrado cifrada criptografado criptografada",
  headers:
    "headers header hdr hdrs cabeceras cabecera cabecalho cabecalhos intestazioni entetes entete kopfzeilen kopfdaten kopteksten naglowki encabezados",
  metadata:
    "metadata meta metadatos metadados metadati metadonnees metadaten attributes attrs properties props metadane metagegevens",
  time: "at on dttm dtime time date ts dt dtm utc tstamp timestamp datetime when gmt en em il le am um fecha datum data hora zeit zeitpunkt zp momento instant op ms millis us micros ns nanos epoch unix dh fec el as alle tijdstip dnia tarih tarihi zaman zamani vremya nichiji cas tid tidspunkt waktu tanggal pada aika shijian riqi fch fh",
  created:
    "created create creation creating creado creada creacion criado criada criacao creato creata creazione cree creee erstellt erstellung erzeugt crt cre crtd angelegt aangemaakt utworzono utworzenia crte ctime skapad skapades oprettet opprettet anlage aanmaak erstell utworzony utworzona olusturma olusturuldu olusturulma sozdano sozdaniya sozdan sozdana sakusei vytvoreno vytvoreni crdate dibuat luotu chuangjian stvoreno touroku letrehozva creat kreirano vytvorene",
  inserted:
    "inserted insert ins added add stored recorded registered reg enqueued enqueue queued captured logged written put raised insertado inserido registrado registrato eingefügt aufgenommen inclusao cadastro alta insercion insertion inserimento dodano dodania insercao erfasst erfassung regr tourokubi kaydedildi spooled",
  occurred:
    "occurred occured occur happened ocurrido ocurrio ocorrido ocorreu avvenuto accaduto survenu aufgetreten geschehen",
  updated:
    "updated update modified changed upd mtime actualizado atualizado aggiornato aktualisiert geändert koushin koshin guncellendi",
  published:
    "published pub dispatched relayed publicado publicada publicacion publicacao pubblicato pubblicata pubblicazione publie publiee veröffentlicht veröffentlichung publiziert gepubliceerd opublikowano publikacji yayinlandi opublikovan publikovano broadcasted",
  publication: "publication",
  sent: "sent snt shipped forwarded emitted transmitted pushed exported produced delivered acked acknowledged enviado enviada envio despachado entregado entregue inviato inviata invio spedito consegnato envoye envoyee expedie livre transmis envoi gesendet versendet versandt verschickt zugestellt übertragen verzonden verstuurd bezorgd afgeleverd wyslano wyslane wyslania snd skickad skickades skickat sendt afsendt levererad versand sende verzend uebermittelt weitergeleitet emitido emitida transmitido transmitida trasmesso trasmessa emesso emessa emis emise diffuse diffusion diffusee transmise despacho emission emision emissao dostarczono dostarczone przekazano przekazane wysylki wyslany wyslana gonderildi gonderim gonderilme gonderilen iletildi otpravleno otpravlen otpravki otpravka soshin odeslano odeslani synced synchronized synchronised dikirim terkirim pengiriman lahetetty fasong despatched soushin vidpravleno nadislano odoslane kikuldve trimis elkuldve poslano poslato sincronizado sincronizada sincronizzato sincronizzata synchronise synchronisee synchronisiert gesynchroniseerd zsynchronizowano syncat",
  processed:
    "processed proc handled completed complete completion done applied finished executed flushed finalized finalised procesado procesada procesamiento processado processada processamento elaborato traite verarbeitet erledigt fanned verwerkt verwerkte afgehandeld przetworzono przetworzone przetworzenia traitement traitee completado completada concluido concluida verarbeitung islendi islenme obrabotano obrabotan obrabotki zpracovano zpracovani verarb diproses kasitelty chuli islenen prcs shori obrobleno feldolgozva procesat obradeno obradjeno spracovane",
  consumed: "consumed consumido consumato consomme konsumiert",
  send: "send publish publishing dispatch deliver delivery push sync synchronization export transport emit forward forwarding transmit transmission handoff process processing relay run retry execute handle start sende zustell consume consuming entrega livraison consegna zustellung bezorging despatch broadcast kirim gonder execution executions",
  made: "made current realizados realizadas efetuadas actuales feitas faites",
  due: "run send deliver publish dispatch execute process retry redeliver resend fire trigger emit release",
  moment: "at on after from",
  pending: "pending unsent unpublished unprocessed pendiente pendientes pendente pendentes offen",
  received:
    "received receive rcv rcvd recv arrived recibido recebido ricevuto recu empfangen eingegangen recepcion recebimento reception ricevuti ricevuta recus recue ontvangen ontvangst odebrano otrzymano alindi alinma polucheno poluchen polucheniya jushin prijato prijeti diterima vastaanotettu jieshou jyushin recvd otrimano",
  first: "first seen initial frst",
  status:
    "status state stat sts estado stato statut etat zustand situacao situacion situazione situation estatus phase toestand stan durum durumu sostoyanie jotai stav st tila zhuangtai joutai allapot stare stanje",
  attempt:
    "attempt attempts att atts attempted tries try retry retries redelivery redeliveries intento intentos reintento reintentos tentativa tentativas tentativi tentativo tentative tentatives versuch versuche essai essais wiederholungen rtry poging pogingen proba proby forsok forsog deneme denemeler popytka popytki popytok pokus pokusy pokusu percobaan yritys yritykset chongshi rty tent sprob sproba sprobi shikou probalkozas probalkozasok incercare incercari pokusaj pokusaji",
  failed:
    "failed failure failures fail fails fallido fallida fallidos falhas falhou falhado fallito fallita echec echoue echouee mislukt fehlgeschlagen fehlversuche fehlvers nack nacks nacked returned unroutable bounced errored crashed basarisiz gescheitert shippai faulted broken stuck",
  dead: "dead ded deadletter deadlettered dlq abandoned exhausted poisoned poison buried undeliverable discarded parked quarantined quarantine shelved muerto descartado descartada abandonado abandonada morto mort abandonne scartato abbandonato tot verworfen aufgegeben gave given give died killed unprocessable unrecoverable hopeless fatal porzucono rinunciato opgegeven oppgitt uppgiven",
  final: "final finally permanent permanently endgültig definitivo definitif",
  withdrawn:
    "cxl cncl canc cxld undone annulled blacklisted blocklisted denylisted terminated retired withheld cancelled canceled deleted skipped skip archived ignored suppressed suspended paused blocked revoked withdrawn voided aborted rejected removed disabled cancelado cancelada anulado anulada eliminado eliminada excluido excluida cancellato annullato eliminato annule annulee supprime supprimee storniert storno gelöscht annulliert hold frozen stopped stoppet stoppad gestoppt gestopt arrete arretee fermato parado zatrzymano halted muted inactive superseded replaced merged obsolete invalidated invalid duplicate dropped disregarded refused rejete rejetee refuse refusee rechazado rechazada rejeitado rejeitada recusado recusada rifiutato respinto abgelehnt zurueckgewiesen afgewezen geweigerd odrzucono odrzucone excluded deactivated inactivated obsoleted bloque bloquee suspenso suspendido suspendu pausado pausiert angehalten abgebrochen detenido interrotto sospeso wstrzymano anulowano anulowane anulowany anulowana wstrzymane wstrzymany odrzucony usunieto usuniete geannuleerd verwijderd opgeschort suspendue annullata sospesa cancellata eliminata del void silindi silinmis iptal otmeneno otmenen udaleno udalen smazano zruseno ignorado ignorada ignore ignoree ignoriert ignorato ignorata genegeerd pominieto pominiete omitido omitida uebersprungen overgeslagen saltato ingetrokken widerrufen zurueckgezogen retirado retirada ritirato wycofano wycofane avbrutt avbruten avbrutet afbrudt baja vervallen loekz loevm lvorm",
  withdrawal:
    "pause freeze halt ignore cancel cancellation cancelation give reject rejection discard drop block abandon abandonment stop suspend suspension exclude exclusion terminal termination suppress suppression park quarantining revocation removal deletion withdrawal refusal invalidation void kill unsent undelivered stornierung sperre sperrung verwerfung ablehnung abbruch anulacion cancelacion bloqueo rechazo descarte suspensao bloqueio rejeicao cancelamento anulacao rejet annulation blocage refus abandon annullamento blocco rifiuto scarto odrzucenia anulowania blokady sper blokkering afwijzing sperr ausschluss",
  ending:
    "cancel reject discard drop abandon stop void kill give verwerfen descartar cancelar anular annuler abandonner scartare",
  approved:
    "approved committed authorized authorised aprobado aprobada aprovado aprovada approvato approvata approuve approuvee freigegeben released genehmigt goedgekeurd zatwierdzono",
  failures: "failures fails errors retries fehlversuche erreurs echecs fallos falhas errori",
  limit: "max maximum limit allowed",
  remaining:
    "remaining left restantes restants restanti rest uebrig verbleibend verbleibende overige resterend pozostale",
  success:
    "success successful succeeded successfully ok exito exitoso sucesso successo erfolg erfolgreich succes reussi reussie powodzenie gelukt geslaagd",
  failure: "failure fallo falla falha echec fout",
  code: "code cd cod codigo kod",
  tries: "prob tried",
  load: "charge carga carico",
  useful: "utile util",
  context: "parent context",
  letter: "letter lettered letters",
  count:
    "count counter antal anz cnt ct number num no nr numero nummer nb anzahl qtd qtde cantidad quantidade total times aantal liczba qt nombre ilosc zähler n conteo contador compteur contatore sayisi kolichestvo chislo kaisu pocet antall jumlah cishu lukumaara nro cant kaisuu co sayi",
  error:
    "error errors err errs exception exc fault fehler erro erros errore errori erreur erreurs excepcion excecao fout fouten blad bledu bledy fel fejl feil felmeddelande hata hatasi oshibka oshibki chyba chyby kesalahan galat virhe cuowu traceback stacktrace chybova pomilka pomilki virheen chybu hiba eroare greska",
  reason: "reason rsn motif motivo grund raison causa cause riyuu sebep sebebi nedeni",
  detail:
    "detail details description desc info text txt texto testo texte backtrace stacktrace detalle detalhe melding meldung tx tresc beschreibung remark remarks aciklama naiyo naiyou dtl cn",
  last: "last latest ult ultimo ultima letzter letzte letztes dernier derniere laatste ostatni ostatnia viimeisin viimeinen son posledni poslednyaya senaste utolso ultimul posljednja poslednja",
  next: "next prox proximo proxima siguiente prossimo prossima prochain prochaine nächster nächste nächstes nxt volgende nastepna nastepny kolejna nastepnej sonraki berikutnya seuraava xiaci dalsi seuraavan nastupna nasta naeste kovetkezo urmatoarea urmatorul sljedeci sledeci sljedeca",
  available:
    "available avail visible scheduled schedule sched due eligible disponible disponivel disponibile verfügbar programado agendado geplant fällig planifie dostepne beschikbaar disponibili yotei",
  after: "after from for since ab dal od vanaf",
  not: "not nicht",
  before: "before vor",
  busy: "progress flight inflight inprogress processing publishing dispatching delivering sending working busy picked taken held hidden invisible worker heartbeat dequeued grabbed acquired fetched",
  started: "started begun gestartet begonnen iniciado demarre",
  outcome: "result outcome resultado ergebnis esito resultat uitkomst wynik",
  toward: "to into",
  processor: "processor prozessor",
  token: "token",
  instance: "node host hostname instance pod machine",
  delay: "hold delay delayed defer deferred backoff snooze snoozed embargo embargoed postponed cooldown throttled",
  lock: "lock locked lease leased claim claimed reserve reserved bloqueado travado bloccato verrouille gesperrt reservado lck reserviert gereserveerd vergrendeld zablokowane zablokowano bloqueada reservada riservato riservata kilit kilitli kilitlendi geblokkeerd sperre",
  until: "until till hasta ate fino bis jusque til tot do jusqu",
  expire:
    "expires expire expiry expiration expired exp expira vence scade ablauf ttl stale lapse lapses lapsed wygasniecia wygasa",
  best: "best",
  valid: "valid gültig valido valide",
  by: "by owner holder por par von durch przez door da",
  sequence: "sequence seq position pos offset ordinal ordering secuencia sequencia sequenza reihenfolge",
  global: "global",
  topic:
    "topic topics destination dest destino destinazione ziel topico tema argomento thema temat sujet onderwerp bestemming zhuti konu konusu",
  routing: "routing",
  exchange: "exchange",
  channel: "channel queue kanal kanaal canal canale",
  address: "address target",
  trace: "trace traceparent",
  flag: "is has was flag indicator ind kz kennz kennzeichen indicador flaga yn fl flg been fue foi wurde ist est czy jest ya mi f",
  filler:
    "in up com con mit avec with de del da do di du des der die das dem the of la en em il le am um tbl t ds lb str bln chr vch aasm lng mem clr bus",
  identity: "identity",
  work: "task job",
  tag: "tag",
  args: "args arguments",
  consumer:
    "consumer handler subscriber listener subscription service processor consumidor consumatore consommateur verbraucher konsument tuketici svc",
  dedupe: "idempotency idempotent dedup dedupe deduplication",
} as const;

export type Concept = keyof typeof WORDS;

export const isConcept = (text: string): text is Concept => Object.hasOwn(WORDS, text);

/** Letters that Unicode does not take for an accented one. */
const FOLDED: Readonly<Record<string, string>> = { ß: "ss", ł: "l", Ł: "L", ø: "o", Ø: "O", đ: "d", Đ: "D", ı: "i" };

/** A name without accents; `ß` as `ss`, Cyrillic letters in Latin ones. */
export function unaccented(text: string): string {
  const marked = text.normalize("NFD").replace(/\p{M}/gu, "");
  const plain = marked.replace(/[ßłŁøØđĐı]/g, (letter) => FOLDED[letter] ?? letter);
  return /\p{Script=Cyrillic}/u.test(plain) ? plain.replace(/\p{Script=Cyrillic}/gu, inLatin) : plain;
}

const CYRILLIC: Readonly<Record<string, string>> = Object.fromEntries(
  "а a,б b,в v,г g,д d,е e,ж zh,з z,и i,к k,л l,м m,н n,о o,п p,р r,с s,т t,у u,ф f,х h,ц ts,ч ch,ш sh,щ sch,ъ ,ы y,ь ,э e,ю yu,я ya,і i,є ye,ґ g"
    .split(",")
    .map((pair) => pair.split(" ")),
);

function inLatin(letter: string): string {
  const small = CYRILLIC[letter.toLowerCase()] ?? letter;
  return letter === letter.toLowerCase() ? small : small.slice(0, 1).toUpperCase() + small.slice(1);
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

/** A word without its vowels: `payload` is `pyld`. Null where fewer than four letters or no vowels are left out. */
function skeletonOf(word: string): string | null {
  const left = word.slice(0, 1) + word.slice(1).replace(/[aeiou]/g, "");
  return left.length >= 4 && left !== word ? left : null;
}

function skeletons(): ReadonlyMap<string, readonly Concept[]> {
  const found = new Map<string, readonly Concept[]>();
  for (const [word, concepts] of CONCEPTS) {
    const skeleton = skeletonOf(word);
    if (skeleton !== null) found.set(skeleton, [...new Set([...(found.get(skeleton) ?? []), ...concepts])]);
  }
  return found;
}

/** What a word can mean that is written without its vowels, as in old schemas: `CRTD_TS`, `PYLD`. */
export const SKELETONS = skeletons();
