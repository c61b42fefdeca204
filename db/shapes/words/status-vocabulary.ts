import type { StatusList } from "../overrides.ts";

export type Words = Record<Exclude<StatusList, "expired">, string> & { expired?: string };

/** Usual words of a status by language, in lower case with underscores. The first of a list is the usual one. */
export const LANGUAGES: readonly Words[] = [
  {
    pending:
      "pending new created queued ready scheduled started not_published not_sent not_processed wait waiting awaiting open unpublished unprocessed unsent todo enqueued available init initial",
    inFlight:
      "processing in_progress in_process in_flight publishing delivering sending running active claimed dispatching locked reserved leased executing handling picked picked_up in_transit transmitting forwarding consuming",
    published:
      "published sent processed completed complete delivered done succeeded success successful dispatched ok finished relayed acked acknowledged confirmed handled consumed applied executed transmitted forwarded emitted synced",
    failed: "failed fail error errored err retry retrying retryable failure nacked nack faulted unsuccessful",
    dead: "dead dead_letter dead_lettered dlq abandoned poisoned poison discarded exhausted permanently_failed failed_permanently permanent_failure permanent_error fatal parked gave_up given_up undeliverable buried quarantined",
    expired: "expired",
  },
  {
    pending:
      "pendiente nuevo creado encolado listo programado espera en_espera por_enviar sin_enviar no_enviado no_publicado",
    inFlight: "procesando en_proceso en_curso enviando publicando",
    published: "publicado enviado procesado completado entregado despachado emitido transmitido",
    failed: "fallido fallo con_error reintento reintentando",
    dead: "muerto descartado abandonado",
    expired: "expirado vencido caducado",
  },
  {
    pending: "pendente novo criado aguardando em_espera agendado nao_enviado nao_publicado a_enviar",
    inFlight: "processando em_processamento em_andamento enviando publicando",
    published: "publicado enviado processado concluido entregue emitido transmitido",
    failed: "falha falhou falhado erro com_erro retentativa",
    dead: "morto descartado abandonado",
    expired: "expirado vencido",
  },
  {
    pending: "in_attesa da_inviare da_pubblicare nuovo creato pendente pronto non_inviato",
    inFlight: "in_elaborazione in_corso in_invio",
    published: "pubblicato inviato elaborato completato consegnato spedito trasmesso emesso",
    failed: "fallito errore in_errore",
    dead: "morto scartato abbandonato",
    expired: "scaduto",
  },
  {
    pending:
      "offen neu wartend ausstehend erstellt angelegt erfasst bereit geplant nicht_gesendet unverarbeitet unversendet ungesendet unbearbeitet zu_versenden zu_senden",
    inFlight: "in_bearbeitung in_verarbeitung läuft wird_gesendet wird_versendet in_zustellung in_versand in_arbeit",
    published:
      "veröffentlicht gesendet versendet versandt verarbeitet erledigt zugestellt abgeschlossen übermittelt übertragen",
    failed: "fehlgeschlagen gescheitert fehler fehlerhaft wiederholung",
    dead: "tot verworfen aufgegeben endgültig_fehlgeschlagen endgültig_gescheitert",
    expired: "abgelaufen",
  },
  {
    pending: "en_attente nouveau cree à_publier à_envoyer planifie non_envoye",
    inFlight: "en_cours en_traitement",
    published: "publie envoye traite termine livre expedie transmis emis",
    failed: "echoue echec en_echec erreur en_erreur",
    dead: "mort abandonne rejete",
    expired: "expire",
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
  },
  {
    pending: "nova ceka cekajici k_odeslani neodeslano",
    inFlight: "zpracovava_se odesila_se",
    published: "odeslano zpracovano publikovano doruceno dokonceno",
    failed: "chyba selhalo neuspesne",
    dead: "zahozeno",
    expired: "vyprselo",
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
      "待发送 待发布 待处理 待投递 待推送 未发送 未发布 未处理 新建 初始 初始化 等待 等待发送 未送信 送信待ち 未処理 대기 대기중 미발송 미전송 미처리",
    inFlight: "发送中 处理中 投递中 发布中 推送中 执行中 送信中 処理中 전송중 발송중 처리중",
    published:
      "已发送 已发布 已处理 已投递 已推送 已完成 发送成功 发布成功 处理成功 投递成功 推送成功 成功 完成 送信済 送信済み 送信完了 処理済 処理済み 完了 전송완료 발송완료 처리완료 완료 성공",
    failed:
      "失败 发送失败 发布失败 处理失败 投递失败 推送失败 送信失敗 処理失敗 失敗 エラー 실패 전송실패 발송실패 오류",
    dead: "死信 已放弃 最终失败 已丢弃",
    expired: "已过期 过期 期限切れ 만료",
  },
];
