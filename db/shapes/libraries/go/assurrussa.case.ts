import type { LibraryCase } from "../library-case.fixture.ts";

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const DDL = {
  postgres: `CREATE TABLE jobs (id uuid PRIMARY KEY, queue varchar(255) NOT NULL, name varchar(255) NOT NULL, payload text NOT NULL, attempts smallint NOT NULL,
      reserved_at timestamptz, available_at timestamptz NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
    CREATE TABLE jobs_failed (id uuid PRIMARY KEY, job_id uuid NOT NULL UNIQUE, connection text NOT NULL, queue text NOT NULL, name text NOT NULL, payload text NOT NULL,
      reason text NOT NULL, exception text NOT NULL, failed_at timestamptz NOT NULL DEFAULT now(), created_at timestamptz NOT NULL DEFAULT now())`,
  mysql: `CREATE TABLE jobs (id char(36) NOT NULL PRIMARY KEY, queue varchar(255) NOT NULL, name varchar(255) NOT NULL, payload longtext NOT NULL, attempts int NOT NULL,
      reserved_at datetime(6) NULL, available_at datetime(6) NOT NULL, created_at datetime(6) NOT NULL);
    CREATE TABLE jobs_failed (id char(36) NOT NULL PRIMARY KEY, job_id char(36) NOT NULL UNIQUE, connection text NOT NULL, queue varchar(255) NOT NULL, name varchar(255) NOT NULL,
      payload longtext NOT NULL, reason text NOT NULL, exception text NOT NULL, failed_at datetime(6) NOT NULL, created_at datetime(6) NOT NULL)`,
};
const insert = (n: number, attempts: number, reserved: string, available = "2020-01-01") =>
  `INSERT INTO jobs VALUES ('${id(n)}', 'queue', 'mail', 'x', ${attempts}, ${reserved}, '${available}', '2020-01-01')`;

export const assurrussaCase: LibraryCase = {
  slug: "assurrussa",
  ddl: DDL,
  table: "jobs",
  rows: [
    { key: id(1), state: "pending", insert: insert(1, 0, "'2020-01-01'") },
    { key: id(2), state: "pending", scheduled: true, insert: insert(2, 0, "'2035-01-01'", "2035-01-01") },
    { key: id(3), state: "in_flight", insert: insert(3, 1, "'2035-01-01'") },
    { key: id(4), state: "failed", insert: insert(4, 1, "'2020-01-01 00:05:00'") },
    { key: id(5), state: "pending", insert: insert(5, 0, "NULL") },
  ],
  claims: "SELECT id FROM jobs WHERE available_at <= {now} AND reserved_at <= {now}",
};

export const assurrussaFailedCase: LibraryCase = {
  slug: "assurrussa-failed",
  ddl: DDL,
  table: "jobs_failed",
  rows: [
    {
      key: id(1),
      state: "dead",
      insert: `INSERT INTO jobs_failed VALUES ('${id(1)}', '${id(1)}', '', 'queue', 'mail', 'x', 'unknown job', '', '2020-01-01', '2020-01-01')`,
    },
  ],
  claims: "SELECT id FROM jobs WHERE available_at <= {now} AND reserved_at <= {now}",
};
