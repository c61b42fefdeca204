import { expect, test } from "vitest";
import { layoutNamed, operatedOutbox } from "#services/operations/operated-outbox.fixture.ts";

const outbox = operatedOutbox();
const layout = layoutNamed("(a) with attempts");

const spoilUpdates = (body: string) =>
  outbox
    .database()
    .pool.query(`CREATE OR REPLACE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$;
    CREATE TRIGGER spoil BEFORE UPDATE ON ${layout.table} FOR EACH ROW EXECUTE FUNCTION spoil()`);

test.each([
  ["drops the change", "RETURN NULL;"],
  ["puts the old value back", "NEW := OLD; RETURN NEW;"],
])("an action is refused where a trigger of the table %s", async (_, body) => {
  await outbox.open(layout);
  const dead = await outbox.put(layout, "dead");
  const pending = await outbox.put(layout, "pending");
  await spoilUpdates(body);
  const before = await outbox.everything(layout.table);
  for (const [action, id] of [
    ["dead-letter", pending],
    ["retry", dead],
  ] as const) {
    const { outcomes } = await outbox.act(action, id);
    expect(outcomes[0]).toMatchObject({ outcome: "skipped", message: expect.stringContaining("trigger") });
  }
  expect(await outbox.everything(layout.table)).toEqual(before);
});
