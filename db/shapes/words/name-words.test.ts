import { describe, expect, test } from "vitest";
import { nameHintOf } from "../columns/table-name.ts";
import { matchWords } from "./match-words.ts";
import { wordsOf } from "./name-words.ts";
import { ROLE_PATTERNS } from "./role-patterns.ts";

const isOf = (role: keyof typeof ROLE_PATTERNS, name: string) =>
  ROLE_PATTERNS[role].some((pattern) => matchWords(wordsOf(name), pattern) !== null);

describe("a name in a script without spaces", () => {
  test.each([
    ["送信日時", "publishedAt"],
    ["試行回数", "attempts"],
    ["重试次数", "attempts"],
    ["エラー内容", "lastError"],
    ["错误信息", "lastError"],
    ["이벤트유형", "eventType"],
    ["생성일시", "createdAt"],
    ["消息体", "payload"],
    ["ステータス", "status"],
    ["상태", "status"],
    ["trang_thai", "status"],
    ["so_lan_thu", "attempts"],
    ["Thoi_Gian_Gui", "publishedAt"],
  ] as const)("%s may be %s", (name, role) => expect(isOf(role, name)).toBe(true));

  // A word that is not known keeps the whole name from being read.
  test.each([
    ["注文状態", "status"],
    ["결제상태", "status"],
    ["订单状态", "status"],
  ] as const)("%s is not %s", (name, role) => expect(isOf(role, name)).toBe(false));
});

test("a short word is no part of a longer one", () => {
  expect(isOf("createdAt", "createdat")).toBe(true);
  expect(wordsOf("person").flatMap(({ concepts }) => concepts)).toEqual([]);
});

describe("a name with a zone", () => {
  test.each([
    ["date_created_gmt", "createdAt"],
    ["date_published_gmt", "publishedAt"],
    ["SentOnUtc", "publishedAt"],
  ] as const)("%s may be %s", (name, role) => expect(isOf(role, name)).toBe(true));
});

describe("a table's name", () => {
  test.each([
    "gonderilecek_mesajlar",
    "lahetettavat_tapahtumat",
    "saga_command_dispatch",
    "event_despatch",
    "mq_pending_publish",
    "eventbus_pendingpublication",
    "ps_event_outqueue",
    "siparis_olay_kuyrugu",
    "fila_eventos",
    "hang_doi_su_kien",
    "kimeno_esemenyek",
  ])("%s says that messages leave", (name) => expect(nameHintOf(name).kind).toBe("outgoing"));

  test.each([
    "device_commands",
    "command_queue",
    "order_dispatch",
    "parcel_despatch",
    "bus_routes",
    "broadcast_messages",
  ])("%s does not", (name) => expect(nameHintOf(name).kind).toBe("none"));
});
