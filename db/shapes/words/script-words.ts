/**
 * Words of names in Chinese, Japanese and Korean scripts, as the English words that the lists have. They stand without
 * spaces between them: `送信日時` is `sent at`.
 */
const WORDS: Readonly<Record<string, string>> = {
  event: "イベント 事件 이벤트",
  message: "メッセージ 电文 電文 消息 訊息 메시지 메세지",
  outbox: "送信箱 发件箱 發件箱 アウトボックス 아웃박스",
  type: "種別 タイプ 種類 区分 类型 類型 유형 타입 종류 구분",
  name: "名称 名稱 명칭",
  aggregate: "集約 聚合 애그리거트",
  entity: "エンティティ 实体 實體 엔티티",
  business: "业务 業務",
  key: "キー 键 鍵 키",
  id: "识别码 識別子 標識 标识 主键 식별자 아이디",
  payload: "ペイロード 本文 載荷 载荷 正文 消息体 본문 페이로드",
  naiyo: "内容 內容 내용",
  data: "データ 数据 數據 資料 데이터",
  headers: "ヘッダー ヘッダ 消息头 标头 標頭 헤더",
  status: "状態 状況 ステータス 状态 狀態 상태",
  sent: "送信 发送 發送 投递 推送 발송 전송 송신",
  published: "発行 公開 配信 发布 發布 발행",
  processed: "処理 处理 處理 처리",
  received: "受信 接收 收到 수신",
  created: "作成 创建 創建 建立 생성",
  inserted: "登録 登记 插入 등록",
  updated: "更新 修改 수정 갱신",
  occurred: "発生 发生 發生 발생",
  at: "日時 時刻 日付 时间 時間 日期 일시 시각 시간",
  attempt: "再試行 試行 リトライ 重试 重試 尝试 재시도 시도",
  count: "回数 件数 次数 次數 횟수 건수",
  error: "エラー 错误 錯誤 异常 오류 에러",
  failed: "失敗 失败 실패",
  reason: "理由 原因 사유 원인",
  detail: "詳細 信息 详情 상세",
  last: "最終 最后 最後 마지막",
  next: "次回 下次 다음",
  available: "予定 예정",
  expiry: "期限 过期 過期 만료",
  lock: "ロック 锁定 鎖定 잠금",
  until: "まで 까지",
  topic: "トピック 主题 主題 토픽",
  destination: "宛先 目的地",
  sequence: "連番 順番 順序 序号 序號 순번 순서",
  flag: "フラグ 是否 여부",
  unsent: "未送信 未发送 미발송",
};

/** Words of Vietnamese, which are written apart: `trang_thai` is `status`. */
const APART: Readonly<Record<string, string>> = {
  event: "su_kien",
  message: "tin_nhan thong_diep",
  status: "trang_thai",
  payload: "noi_dung",
  data: "du_lieu",
  attempt_count: "so_lan_thu so_lan_gui_lai",
  next_attempt: "lan_thu_tiep_theo lan_thu_ke_tiep",
  created_at: "ngay_tao tao_luc thoi_gian_tao",
  sent_at: "ngay_gui gui_luc thoi_gian_gui",
  error_message: "thong_bao_loi noi_dung_loi",
  last_error: "loi_cuoi loi_cuoi_cung",
  queue: "hang_doi",
};
const OF_APART: ReadonlyMap<string, string> = new Map(
  Object.entries(APART).flatMap(([english, words]) => words.split(" ").map((word) => [word, english] as const)),
);
const WRITTEN_APART = new RegExp(
  `(?<![a-z])(?:${[...OF_APART.keys()].toSorted((one, other) => other.length - one.length).join("|")})(?![a-z])`,
  "gi",
);

/** Letters that a name keeps although they are not Latin. */
export const OTHER_LETTERS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー`;
const SCRIPTS = new RegExp(`[${OTHER_LETTERS}]+`, "gu");

/** Puts the English words with spaces between them; a word that is not known stays as it is. */
function translator(words: Readonly<Record<string, string>>): (name: string) => string {
  // Longest first, so that `再試行` is not read as `試行`.
  const pieces = Object.entries(words)
    .flatMap(([english, others]) => others.split(" ").map((word) => [word, english] as const))
    .toSorted(([one], [other]) => other.length - one.length);
  const english: ReadonlyMap<string, string> = new Map(pieces);
  const piece = new RegExp(pieces.map(([word]) => word).join("|"), "gu");
  return (name) =>
    name.normalize("NFC").replace(SCRIPTS, (run) => ` ${run.replace(piece, (word) => ` ${english.get(word)} `)} `);
}

/** Vietnamese words in a name without accents. */
export const joined = (name: string): string =>
  name.replace(WRITTEN_APART, (words) => OF_APART.get(words.toLowerCase()) ?? words);

export const inEnglish = translator(WORDS);

/** Names of tables that are no outboxes, as the words by which those in English are known. */
export const otherKindInEnglish = translator({
  email: "メール 電子メール 邮件 郵件 邮箱 메일 이메일",
  sms: "短信 簡訊 문자 문자메시지",
  subject: "件名 邮件主题 메일제목",
  "to address": "メールアドレス 收件人 收件地址 수신자 수신인 受信者",
  phone: "手机号 手机号码 電話番号 电话 电话号码 휴대폰 휴대폰번호 전화번호",
  attachment: "添付 添付ファイル 附件 첨부 첨부파일",
  "device token": "デバイストークン 设备令牌 디바이스토큰",
  title: "タイトル 标题 標題 제목",
  "user id": "ユーザー ユーザ 利用者 用户 用戶 사용자",
  audit: "監査 审计 審計 감사",
  "old value": "変更前 修改前 변경전",
  "new value": "変更後 修改后 변경후",
  job: "ジョブ 任务 任務 작업",
  payment: "支払 決済 支付 결제",
  orders: "注文 订单 訂單 주문",
  amount: "金額 金额 금액",
  "customer id": "顧客番号 客户编号 고객번호",
  "starts at": "開始日時 开始时间 시작일시",
  "ends at": "終了日時 结束时间 종료일시",
});
