export const STORE_KINDS = ["postgres", "mysql", "mariadb", "dynamodb"] as const;
export type StoreKind = (typeof STORE_KINDS)[number];
