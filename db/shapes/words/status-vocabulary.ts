import type { StatusList } from "../overrides.ts";

export type Words = Record<Exclude<StatusList, "expired">, string> & { expired?: string; ends?: Ends };

/** Words with one of these endings have each of the others as well: `enviado`, `enviada`, `enviados`. */
type Ends = readonly string[];

/** Usual words of a status by language, in lower case with underscores. The first of a list is the usual one. */
export const LANGUAGES: readonly Words[] = [
  {
    pending:
      "pending new created queued ready scheduled started not_published not_sent not_processed wait waiting awaiting open unpublished unprocessed unsent todo enqueued available init initial",
    inFlight:
      "processing in_progress in_process in_flight publishing delivering sending running active claimed dispatching locked reserved leased executing handling picked picked_up taken wip in_transit transmitting forwarding consuming syncing relaying emitting pushing",
    published:
      "published sent processed completed complete delivered done succeeded success successful dispatched ok finished relayed acked acknowledged confirmed handled consumed applied executed transmitted forwarded emitted synced pushed",
    failed:
      "failed fail error errored err retry retrying retryable to_retry will_retry to_be_retried failure nacked nack faulted unsuccessful nok ko",
    dead: "dead dead_letter dead_lettered dlq abandoned poisoned poison discarded exhausted permanently_failed failed_permanently permanent_failure permanent_error fatal parked gave_up given_up undeliverable buried quarantined failed_final final_failure final_error terminal_failure unrecoverable",
    expired: "expired",
  },
  // Further words in English, which are not looked for in a table that shows none of them.
  {
    pending: "initiated in_queue not_started unclaimed unhandled undispatched runnable outstanding",
    inFlight:
      "doing in_delivery working busy acquired grabbed checked_out under_way ongoing being_sent being_published being_processed in_dispatch in_publishing broadcasting despatching",
    published: "produced propagated broadcast broadcasted despatched snt fully_sent",
    failed: "nak exception crashed backoff backing_off retry_later needs_retry soft_failed soft_fail failed_once",
    dead: "dropped non_retryable not_retryable unretryable max_attempts max_retries hard_failed hard_fail dlt dlx give_up graveyard unsendable unpublishable unprocessable dead_message",
  },
  {
    pending:
      "pendiente nuevo creado encolado listo programado espera en_espera en_cola por_enviar por_publicar por_procesar sin_enviar sin_procesar no_enviado no_publicado",
    inFlight: "procesando en_proceso en_curso en_envio enviando publicando tomado reservado",
    published:
      "publicado enviado procesado completado entregado despachado emitido transmitido finalizado terminado exito exitoso",
    failed: "fallido fallo con_error con_errores reintento reintentando reintentar a_reintentar por_reintentar",
    dead: "muerto descartado abandonado fallo_definitivo fallo_permanente error_definitivo error_permanente",
    expired: "expirado vencido caducado",
    ends: ["o", "a", "os", "as"],
  },
  {
    pending: "pendente novo criado aguardando em_espera na_fila agendado por_enviar nao_enviado nao_publicado a_enviar",
    inFlight: "processando em_processamento em_andamento em_envio enviando publicando reservado",
    published: "publicado enviado processado concluido entregue emitido transmitido finalizado sucesso",
    failed: "falha falhou falhado erro com_erro com_falha retentativa retentar",
    dead: "morto descartado abandonado falha_definitiva falha_permanente erro_definitivo erro_permanente",
    expired: "expirado vencido",
    ends: ["o", "a", "os", "as"],
  },
  {
    pending: "in_attesa da_inviare da_pubblicare in_coda nuovo creato pendente pronto non_inviato",
    inFlight: "in_elaborazione in_corso in_invio inviando",
    published: "pubblicato inviato elaborato completato consegnato spedito trasmesso emesso successo",
    failed: "fallito errore in_errore",
    dead: "morto scartato abbandonato errore_definitivo",
    expired: "scaduto",
    ends: ["o", "a", "i", "e"],
  },
  {
    pending:
      "offen neu wartend wartet in_warteschlange ausstehend erstellt angelegt erfasst bereit geplant nicht_gesendet unverarbeitet unversendet ungesendet unbearbeitet zu_versenden zu_senden",
    inFlight:
      "in_bearbeitung in_verarbeitung läuft wird_gesendet wird_versendet wird_übertragen in_zustellung in_versand in_übertragung in_arbeit",
    published:
      "veröffentlicht gesendet versendet versandt verarbeitet erledigt zugestellt abgeschlossen übermittelt übertragen weitergeleitet erfolgreich erfolg fertig",
    failed: "fehlgeschlagen gescheitert fehler sendefehler fehlerhaft wiederholung",
    dead: "tot verworfen aufgegeben endgültig_fehlgeschlagen endgültig_gescheitert",
    expired: "abgelaufen",
  },
  {
    pending: "en_attente nouveau cree à_publier à_envoyer planifie non_envoye",
    inFlight: "en_cours en_traitement",
    published: "publie envoye traite termine livre expedie transmis emis succes",
    failed: "echoue echec en_echec erreur en_erreur",
    dead: "mort abandonne rejete echec_definitif",
    expired: "expire",
    ends: ["e", "ee", "es", "ees"],
  },
  {
    pending: "wachtend nieuw te_versturen te_verzenden in_wachtrij aangemaakt niet_verzonden",
    inFlight: "in_behandeling bezig in_verwerking",
    published: "verzonden verstuurd verwerkt gepubliceerd afgeleverd voltooid",
    failed: "mislukt fout",
    dead: "opgegeven",
    expired: "verlopen",
  },
  {
    pending: "nowe nowy oczekujace oczekuje do_wyslania utworzone",
    inFlight: "w_trakcie przetwarzane wysylane",
    published: "wyslane wyslano opublikowane przetworzone dostarczone",
    failed: "blad bledne nieudane",
    dead: "porzucone porzucono odrzucone",
    expired: "wygasle",
    ends: ["ne", "no", "na", "ny"],
  },
  {
    pending: "väntar väntande ny skapad köad ej_skickad oskickad inte_skickad",
    inFlight: "skickas pågår behandlas bearbetas under_behandling",
    published: "skickad publicerad bearbetad behandlad levererad slutförd",
    failed: "misslyckad misslyckades misslyckats fel",
    dead: "övergiven kasserad förkastad",
    expired: "utgången",
    ends: ["ad", "at", "ade"],
  },
  {
    pending: "venter ventende afventer opprettet oprettet ikke_sendt usendt i_kø",
    inFlight: "sendes behandles under_behandling pågår igangværende",
    published: "sendt afsendt publisert publiceret behandlet levert leveret ferdig færdig fullført gennemført",
    failed: "feil fejl feilet fejlet mislykket mislyktes mislykkedes",
    dead: "oppgitt opgivet forkastet kassert kasseret",
    expired: "utløpt udløbet",
  },
  {
    pending: "függőben várakozik új létrehozva elküldésre_vár",
    inFlight: "feldolgozás_alatt küldés_alatt folyamatban",
    published: "elküldve elküldött feldolgozva feldolgozott közzétéve kézbesítve",
    failed: "hibás hiba sikertelen",
    dead: "eldobva elvetve",
    expired: "lejárt",
  },
  {
    pending: "in_asteptare nou creat netrimis de_trimis",
    inFlight: "in_procesare in_curs",
    published: "trimis procesat publicat livrat finalizat",
    failed: "esuat eroare",
    dead: "abandonat",
    expired: "expirat",
    ends: ["t", "ta", "te"],
  },
  {
    pending: "ochikuye novii nove v_cherzi ne_nadislano ne_vidpravleno",
    inFlight: "nadsilayetsya obroblyayetsya v_obrobtsi",
    published: "nadislano vidpravleno obrobleno opublikovano dostavleno",
    failed: "pomilka nevdacha",
    dead: "vidkinuto",
    expired: "prostrocheno",
  },
  {
    pending: "caka cakajuca nova neodoslane na_odoslanie",
    inFlight: "spracovava_sa odosiela_sa",
    published: "odoslane spracovane publikovane dorucene dokoncene",
    failed: "chyba zlyhalo neuspesne",
    dead: "zahodene",
    expired: "vyprsalo",
    ends: ["ne", "na", "ny"],
  },
  {
    pending: "bekliyor beklemede yeni gonderilecek gonderilmedi hazir",
    inFlight: "gonderiliyor isleniyor",
    published: "gonderildi yayinlandi islendi iletildi tamamlandi",
    failed: "hata hatali basarisiz",
    dead: "vazgecildi",
    expired: "suresi_doldu",
  },
  {
    pending: "novoe novyj novyy novyi ozhidaet ozhidanie v_ocheredi ne_otpravleno",
    inFlight: "otpravlyaetsya v_obrabotke obrabatyvaetsya",
    published: "otpravleno otpravlen obrabotano obrabotan opublikovano opublikovan dostavleno",
    failed: "oshibka neudacha",
    dead: "otbrosheno",
    expired: "isteklo",
    ends: ["no", "na", "ny"],
  },
  {
    pending: "nova ceka cekajici k_odeslani neodeslano",
    inFlight: "zpracovava_se odesila_se",
    published: "odeslano zpracovano publikovano doruceno dokonceno",
    failed: "chyba selhalo neuspesne",
    dead: "zahozeno",
    expired: "vyprselo",
    ends: ["no", "na", "ny"],
  },
  {
    pending: "menunggu antri antrean baru belum_dikirim belum_terkirim siap",
    inFlight: "diproses sedang_diproses sedang_dikirim mengirim",
    published: "terkirim terbit selesai berhasil",
    failed: "gagal kesalahan",
    dead: "ditinggalkan",
    expired: "kedaluwarsa",
  },
  {
    pending: "odottaa jonossa uusi lahettamatta",
    inFlight: "kasittelyssa lahetetaan",
    published: "lahetetty julkaistu kasitelty toimitettu",
    failed: "virhe epaonnistui epaonnistunut",
    dead: "hylatty",
    expired: "vanhentunut",
  },
  {
    pending: "cho_gui cho_xu_ly chua_gui",
    inFlight: "dang_gui dang_xu_ly",
    published: "da_gui da_xu_ly thanh_cong hoan_thanh",
    failed: "loi that_bai",
    dead: "bo_qua",
    expired: "het_han",
  },
  {
    pending: "daifasong daichuli weifasong xinjian",
    inFlight: "fasongzhong chulizhong",
    published: "yifasong yichuli yifabu chenggong fasongchenggong",
    failed: "shibai fasongshibai",
    dead: "yifangqi",
    expired: "yiguoqi",
  },
  {
    pending:
      "待发送 待发布 待处理 待投递 待推送 未发送 未发布 未处理 新建 初始 初始化 等待 等待发送 未送信 送信待ち 未処理 대기 대기중 미발송 미전송 미처리 발행대기 발송대기 전송대기 처리대기 未配信 未発行 配信待ち 処理待ち",
    inFlight: "发送中 处理中 投递中 发布中 推送中 执行中 送信中 処理中 전송중 발송중 처리중 발행중 配信中 発行中",
    published:
      "已发送 已发布 已处理 已投递 已推送 已完成 发送成功 发布成功 处理成功 投递成功 推送成功 成功 完成 送信済 送信済み 送信完了 処理済 処理済み 完了 전송완료 발송완료 처리완료 발행완료 완료 성공 配信済 配信済み 発行済 発行済み 已投遞 已發送",
    failed:
      "失败 重试中 发送失败 发布失败 处理失败 投递失败 推送失败 送信失敗 処理失敗 失敗 エラー 실패 전송실패 발송실패 발행실패 처리실패 전송오류 발송오류 처리오류 오류 送信エラー 処理エラー 配信エラー 発行エラー 配信失敗",
    dead: "死信 已放弃 最终失败 已丢弃",
    expired: "已过期 过期 期限切れ 만료",
  },
];
