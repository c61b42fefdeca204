import { expect, test } from "vitest";
import { failureOfStatus } from "./classify-failure.ts";

test("of a proxy's page the title is said, not its tags", () => {
  const body = "<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>nginx</body></html>";
  expect(failureOfStatus({ status: 413, body, retryAfter: undefined, location: undefined })).toMatchObject({
    code: "too_large",
    message: "HTTP 413: 413 Request Entity Too Large",
  });
});
