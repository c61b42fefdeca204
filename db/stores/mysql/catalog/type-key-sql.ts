/**
 * A column's type as SQL over information_schema.columns, without the display width of integers, which MySQL prints
 * before 8.0.19 only. The width of tinyint(1) stays: it stands for a boolean.
 */
export const typeSql = "REGEXP_REPLACE(column_type, '(?<=int)[(](?:(?!1[)])[0-9]+|(?<!tinyint[(])1)[)]', '')";

/**
 * What identifies a column's type, as SQL over information_schema.columns. Texts of another collation compare
 * otherwise, so the collation is part of it. The words of an enum are not: a new word is no new type.
 */
export const typeKeySql = `CONCAT_WS(' ', IF(data_type IN ('enum', 'set'), data_type, ${typeSql}), collation_name)`;
