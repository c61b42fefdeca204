import { afterAll } from "vitest";

/** Runs around each test file: files share a process, and a variable that one of them sets is not the next one's. */
const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
