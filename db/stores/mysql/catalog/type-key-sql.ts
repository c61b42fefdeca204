/**
 * A column's type as SQL over information_schema.columns, without the display width of integers, which MySQL prints
 * before 8.0.19 only. The width of tinyint(1) stays: it stands for a boolean.
 */
export const typeSql = "REGEXP_REPLACE(column_type, '(?<=int)[(](?:(?!1[)])[0-9]+|(?<!tinyint[(])1)[)]', '')";

/**
 * Identity of a column's type, as SQL over information_schema.columns. It includes the collation, because texts compare
 * differently under another one. It leaves out the words of an enum: a new word is no new type.
 */
export const typeKeySql = `CONCAT_WS(' ', IF(data_type IN ('enum', 'set'), data_type, ${typeSql}), collation_name)`;
