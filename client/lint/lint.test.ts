import { type Rule as EslintRule, Linter, RuleTester } from "eslint";
import { defineConfig } from "eslint/config";
import { describe, expect, test } from "vitest";
import lint from "./index.ts";

RuleTester.describe = describe;
RuleTester.it = test;
RuleTester.itOnly = test.only;

const tester = new RuleTester();
const run = (name: string, cases: { valid: unknown[]; invalid: unknown[] }) =>
  tester.run(name, lint.rules[name] as unknown as EslintRule.RuleModule, cases as never);
const wrong = (code: string, messageId: string, settings?: object) => ({
  code,
  errors: [{ messageId }],
  ...(settings ? { settings: { outbox: settings } } : {}),
});
/** A statement in the callback of a transaction. */
const inTx = (code: string) => `db.transaction(async (tx) => { ${code} })`;

run("await-add", {
  valid: [
    inTx('await outbox.add(tx, "a", {})'),
    inTx('return outbox.add(tx, "a", {})'),
    'db.transaction((tx) => outbox.add(tx, "a", {}))',
    inTx('await Promise.all([outbox.add(tx, "a", {}), this.shopOutbox.add(tx, "b", {})])'),
    inTx('const added = outbox.add(tx, "a", {}); await added'),
    inTx('await outbox.add(tx, "a", {}).then(note)'),
    inTx('set.add("a"); letterbox.add(tx)'),
    "async function f() { await (paid && inbox.once(db, message, work)); }",
    inTx('await Promise.all(orders.map((order) => outbox.add(tx, "a", order)))'),
    inTx('await Promise.all(orders.map(async (order) => { await outbox.add(tx, "a", order) }))'),
    inTx('const all = []; orders.forEach((order) => all.push(outbox.add(tx, "a", order))); await Promise.all(all)'),
    inTx('const adding = orders.map((order) => outbox.add(tx, "a", order)); await Promise.all(adding)'),
    inTx('await bluebird.map(orders, async (order) => { await outbox.add(tx, "a", order) })'),
    inTx('orders.forEach(() => { async function add() { await outbox.add(tx, "a", {}) } all.push(add()) })'),
    "channel.on('message', async (message) => { await inbox.once(db, message, work) })",
    inTx('orders.forEach(() => step(async () => { await outbox.add(tx, "a", {}) }))'),
  ],
  invalid: [
    wrong(inTx('outbox.add(tx, "a", {})'), "floating"),
    wrong(inTx('void this.outbox.add(tx, "a", {})'), "floating"),
    wrong('class A { #outbox; f() { this.#outbox.add(tx, "a", {}) } }', "floating"),
    wrong(inTx('outbox.add(tx, "a", {}).catch(log)'), "floating"),
    wrong(inTx('paid && outbox.add(tx, "a", {})'), "floating"),
    wrong(inTx("paid ? outbox.cancel(tx, id) : null"), "floating"),
    wrong(inTx('orders.forEach((order) => outbox.add(tx, "a", order))'), "floating"),
    wrong(inTx('orders?.forEach(async (order) => { await outbox.add(tx, "a", order) })'), "floating"),
    wrong(inTx('orders.forEach(function (order) { return outbox.add(tx, "a", order) })'), "floating"),
    wrong(inTx('orders.map((order) => outbox.add(tx, "a", order))'), "floating"),
    wrong(inTx('await orders.map(async (order) => { await outbox.add(tx, "a", order) })'), "floating"),
    wrong(inTx('setTimeout(async () => { await outbox.add(tx, "a", {}) }, 10)'), "floating"),
    wrong("consume((message) => { inbox.once(db, message, work); })", "floating"),
    wrong(inTx('events.add(tx, "a", {})'), "floating", { outboxes: ["events"] }),
  ],
});

run("no-publish-in-transaction", {
  valid: [
    'async () => { await db.transaction(async (tx) => outbox.add(tx, "a", {})); await producer.send(record); }',
    inTx("await tx.insert(orders)"),
    inTx("response.send(body)"),
    inTx("tx.afterCommit(() => producer.send(record))"),
    "producer.send(record)",
    "function transaction() { channel.publish(x) }",
  ],
  invalid: [
    wrong(inTx("await this.kafka.producer.send(record)"), "publish"),
    wrong("prisma.$transaction(async (tx) => { for (const one of all) await channel.publish(x, one) })", "publish"),
    wrong("db.transaction().execute(async (trx) => { await nats.publish(subject) })", "publish"),
    wrong("sql.begin(async function (sql) { all.map((one) => redis.xadd(one)) })", "publish"),
    wrong("inbox.once(db, message, async (tx) => { await sqs.sendMessage(x) })", "publish"),
    wrong("inTransaction(pool, async (client) => { await channel.sendToQueue(q, b) })", "publish"),
    wrong("unitOfWork.run(async () => { await bus.tell(x) })", "publish", {
      transactions: ["unitOfWork.run"],
      publishers: ["bus.tell"],
    }),
  ],
});

run("no-root-handle", {
  valid: [
    inTx('await outbox.add(tx, "a", {}); await tx.insert(orders)'),
    inTx('await step(async () => outbox.add(tx, "a", {}))'),
    "sequelize.transaction(async (t) => { await outbox.add(t); await sequelize.query(text, { transaction: t }) })",
    "knex.transaction(async (trx) => { await knex('orders').insert(row).transacting(trx) })",
    `sql.begin(async (tx) => { await tx\`insert into orders \${sql(row)}\` })`,
    "knex.transaction(async (trx) => { await trx('orders').where(knex.raw('paid')) })",
    "source.transaction(async (manager) => { const repo = manager.getRepository(Order); await outbox.add(repo.manager) })",
    "em.transactional(async () => { await outbox.add(em) })",
    "async () => { const rows = await db.select(); await db.transaction(async (tx) => { await tx.insert(rows) }) }",
    "const client = await pool.connect(); await outbox.add(client)",
    "prisma.$transaction(async (tx) => { await tx.order.create({ data }) })",
    "this.transaction(async (tx) => { await tx.save(this.orders.create(row)) })",
    "app.transaction(async (tx) => { app.log.info('begun'); await tx.insert(orders) })",
  ].map((code) => ({ code, languageOptions: { sourceType: "module", ecmaVersion: "latest" } })),
  invalid: [
    wrong(inTx('await outbox.add(db, "a", {})'), "handle"),
    wrong(inTx('await outbox.add(pool, "a", {})'), "handle"),
    wrong(inTx('await outbox.add(this.pool, "a", {})'), "handle"),
    wrong(inTx("await db.insert(orders).values(row)"), "statement"),
    wrong("this.db.transaction(async (tx) => { await this.db.insert(orders) })", "statement"),
    wrong("db.transaction().execute(async (trx) => { await db.insertInto('orders').execute() })", "statement"),
    wrong("knex.transaction(async (trx) => { await knex('orders').insert(row) })", "statement"),
    wrong("sql.begin(async (tx) => { await sql`insert into orders values (1)` })", "statement"),
    wrong("inbox.once(db, message, async (tx) => { await db.insert(invoices) })", "statement"),
    wrong("prisma.$transaction(async (tx) => { await prisma.order.create({ data }) })", "statement"),
    wrong("this.prisma.$transaction(async (tx) => { await this.prisma.order.update({ data }) })", "statement"),
    wrong("db.transaction(async (tx) => { await db.query.orders.findMany() })", "statement"),
    wrong("db.transaction(async (tx) => { await inbox.onceIn(db, message, work) })", "handle"),
  ],
});

test("the recommended configuration runs in ESLint, and its sentences name what is wrong", () => {
  const linter = new Linter();
  const code = `db.transaction(async (tx) => { outbox.add(db, "a", {}); await producer.send(x) })`;
  const found = linter.verify(code, [lint.configs.recommended as never]);
  expect(found.map(({ ruleId, message }) => [ruleId, message])).toEqual([
    ["outbox/await-add", expect.stringMatching(/^outbox\.add is not awaited/)],
    ["outbox/no-root-handle", expect.stringMatching(/^db is not the handle of db\.transaction.* Pass tx\.$/)],
    ["outbox/no-publish-in-transaction", expect.stringMatching(/^producer\.send publishes inside db\.transaction/)],
  ]);
});

test("TypeScript takes the plugin in a configuration made by ESLint's defineConfig", () => {
  const config = defineConfig([lint.configs.recommended, { files: ["**/*.ts"], plugins: { outbox: lint } }]);
  expect(config).toHaveLength(2);
});
