import { expect, test } from "vitest";
import { failureOfStatus, parseRetryAfterMs } from "./classify-failure.ts";

test("of a proxy's page the title is said, not its tags", () => {
  const body = "<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>nginx</body></html>";
  expect(failureOfStatus({ status: 413, body, retryAfter: undefined, location: undefined })).toMatchObject({
    code: "too_large",
    message: "HTTP 413: 413 Request Entity Too Large",
  });
});

test.each([
  ["7", 7000],
  [" 7 ", 7000],
  ["0.35", 350],
  ["86400", 3_600_000],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
  ["-5", undefined],
  ["2026", 2_026_000],
  ["1.5.2026", undefined],
  ["soon", undefined],
  ["", undefined],
])("Retry-After: %s", (value, ms) => {
  expect(parseRetryAfterMs(value, Date.parse("2026-01-01T00:00:00Z"))).toBe(ms);
});
