import { unaccented } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";

export interface NameHint {
  /** `beside`: a helper of an outbox, such as its archive. */
  kind: "outbox" | "outgoing" | "events" | "none" | "beside";
  points: number;
  /** Completes "The name …". */
  says: string;
}

/** Outboxes by name, joined: in Spanish, Portuguese, Italian, German, French, Dutch and Polish too. */
const OUTBOX =
  /outbox|eventpublication|bandeja(de)?salida|buzon(de)?salida|caixa(de)?saida|postainuscita|postausgang|ausgangskorb|ausgangsbox|boite(d)?envoi|boite(de)?sortie|postvakuit|skrzynka(nadawcza|wyjsciowa)|utboks|utbox|utkorg|utgaendekorg|udbakke|uitvak|giden(ler)?kutusu|kotakkeluar|lahtevatlaatikko|fajianxiang/;
/** The same in other scripts, and the German, Dutch and Russian words of what leaves. */
const OUTBOX_IN_SCRIPT = /发件箱|發件箱|寄件匣|寄件箱|送信箱|送信トレイ|アウトボックス|아웃박스|보낸편지함|исходящ/i;
const SHORT = new Set(["obx", "outbx", "otbx"]);
const BESIDE =
  /archive|archiv|deadletter|dlq|history|historie|offset|(lock|heartbeat|leader|election|watermark|bookmark|progress|position|metric)s?$|migration|checkpoint|cursor|partition(s)?$|_?instance(s)?$|schema|audit(log|trail|event|record)?s?$|(exception|error|failure|attempt|consumer|subscriber|state|stat|statistic|config|setting|type)s?$/;
/** Also before the word for an outbox: of `checkpoint_outbox` the checkpoints are what its messages are about. */
const COPY = /archive|archiv|deadletter|dlq/;
const ABOUT = /nachricht|ereignis|meldung|gebeurtenis|envelope/;
/** A queue of what leaves, in the languages that have a word of their own for it. */
const QUEUE_OUT =
  /fila(de)?(saida|envio)|cola(de)?(salida|envio)|coda(in|di)?uscita|file(de)?sort(ie|ant)|(ausgangs|versand)(warte)?(schlange|queue)|kolejkawyjsciowa|kolejka(do)?(wysylki|wyslania)|ochered(na)?otprav|(gonderim|gonderi|giden)kuyru|antri(an)?(untuk)?kirim|frontak?odeslani|lahtevajono|lahetysjono/;
/** The same for what has yet to be sent or published. */
const LEAVING =
  /topublish|tosend|ausgang|ausgehend|zu(ver)?senden|a(publier|envoyer|enviar|publicar)|por(enviar|publicar)|da(pubblicare|inviare)|do(wyslania|opublikowania)|te(verzenden|versturen)|gonderilecek|yayinlanacak|lahetettav|julkaistav|akandikirim|akanditerbitkan|kodeslani|dlyaotprav|naotprav|outqueue|attskicka|tilsending/;
const OUTGOING = new Set(
  "outgoing outbound pending unsent unpublished topublish tosend publish integration domain transactional queue queued salida saliente salientes saida saidas uscita ausgang ausgehend ausgehende sortie sortant sortants out uitgaand uitgaande verzenden versturen wychodzace wychodzacy wychodzacych pendiente pendientes pendente pendentes relay dispatch tx trx txn local utgaende utgaaende udgaende udgaaende skickas giden ishodyaschie iskhodyashchie odchozi keluar lahtevat daifasong despatch snd soushin soshin kirim transaction trans reliable kimeno odlazni odlazne iesire".split(
    " ",
  ),
);

/** A queue by the word of each language. Of events it is what one of events in English is. */
const QUEUES = new Set(
  "queue queued fila cola coda warteschlange wachtrij kolejka fronta jono kuyruk kuyrugu antrian ochered cherga koe duilie".split(
    " ",
  ),
);

/** A table that names only its broker may also be what arrives from it. */
const OUTWARD = new Set(
  "outgoing outbound out unsent unpublished salida saliente salientes saida saidas uscita ausgang ausgehend ausgehende sortie sortant sortants uitgaand uitgaande wychodzace wychodzacy wychodzacych utgaende utgaaende udgaende udgaaende kimeno odlazni odlazne iesire giden ishodyaschie iskhodyashchie odchozi keluar lahtevat daifasong".split(
    " ",
  ),
);

/** A command that leaves is a message, unless only a queue of them is meant. */
const COMMANDS = new Set("command commands comando comandos befehl befehle commande commandes polecenia".split(" "));
const SENT_OUT = new Set([...OUTWARD, "dispatch", "despatch", "publish", "tosend", "topublish", "relay"]);

const INWARD = new Set(
  "inbound incoming received consumed entrante entrantes entrada recibido recibidos recebido recebida recebidas eingang eingehend eingehende entrant entrants recus arrivo entrata inkomend inkomende ontvangen przychodzace przychodzacy gelen vhodyaschie vkhodyashchie prichozi".split(
    " ",
  ),
);
const READERS = new Set(
  "consumer consumers subscriber subscribers listener handler handlers projection projections projector reader".split(
    " ",
  ),
);

/** True if the name says that messages arrive, or that they are those of a reader. */
export function saysInward(name: string): boolean {
  return partsOf(name).some((part) => INWARD.has(part) || READERS.has(part));
}

/** True if the name is that of a log, which an outbox may be called too. */
export function saysLog(name: string): boolean {
  return partsOf(name).some((part) => ["log", "logs", "journal", "protokoll"].includes(part));
}

/** True if nothing but a queue says that messages leave. */
export function saysQueueOnly(name: string): boolean {
  const leaving = partsOf(name).filter((part) => OUTGOING.has(part) || QUEUES.has(part));
  return leaving.length > 0 && leaving.every((part) => QUEUES.has(part));
}

const COPIED = new Set("old bak backup backups copy copies kopie copia sicherung tmp temp".split(" "));

/** A table's next or former form while gh-ost or pt-online-schema-change alters it: `_outbox_gho`, `_outbox_new`. */
const ONLINE_CHANGE = /^_+.*_(gho|ghc|del|new|old)$/i;

/** True if the name is that of a copy that somebody made: `outbox_old`, `outbox_bak_20260101`. */
export function saysCopied(name: string): boolean {
  return ONLINE_CHANGE.test(name) || partsOf(name).some((part) => COPIED.has(part));
}

const partsOf = (name: string) =>
  unaccented(name)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

/** True if the name says that messages leave, and not only that they wait. */
export function saysOutward(name: string): boolean {
  return wordsOf(name).some(({ text }) => OUTWARD.has(text));
}

/** True if the name has any word of what leaves: `publish_backlog`. */
export const saysLeaving = (name: string): boolean => wordsOf(name).some(({ text }) => OUTGOING.has(text));

function isBeside(joined: string): boolean {
  const from = joined.search(OUTBOX);
  return COPY.test(joined) || BESIDE.test(from === -1 ? joined : joined.slice(from));
}

/** What the name of a table says about outboxes. */
export function nameHintOf(name: string): NameHint {
  const joined = unaccented(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
  const words = wordsOf(name);
  if (isBeside(joined)) return { kind: "beside", points: 0, says: "is one of a helper table" };
  if (OUTBOX.test(joined) || OUTBOX_IN_SCRIPT.test(name) || words.some(({ text }) => SHORT.has(text)))
    return { kind: "outbox", points: 40, says: "is one of an outbox" };
  const isAbout = (concept: "event" | "message" | "broker") => words.some(({ concepts }) => concepts.includes(concept));
  const about =
    isAbout("event") ||
    isAbout("message") ||
    ABOUT.test(joined) ||
    QUEUE_OUT.test(joined) ||
    (isAbout("broker") && words.some(({ text }) => SENT_OUT.has(text))) ||
    (words.some(({ text }) => COMMANDS.has(text)) && words.some(({ text }) => SENT_OUT.has(text)));
  const leaves =
    words.some(({ text }) => OUTGOING.has(text) || QUEUES.has(text)) || LEAVING.test(joined) || QUEUE_OUT.test(joined);
  if (about && leaves) return { kind: "outgoing", points: 25, says: "says that events or messages leave by it" };
  if (isAbout("broker") && isAbout("message"))
    return { kind: "none", points: 15, says: "has a broker's messages in it" };
  if (words.some(({ concepts }) => concepts.includes("event")))
    return { kind: "events", points: 10, says: "has events in it" };
  return { kind: "none", points: 0, says: "" };
}
