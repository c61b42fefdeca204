export interface OrderLine {
  line: number;
  sku: string;
  title: string;
  quantity: number;
  /** Decimal text with two places. */
  unitPrice: string;
}

/** The shop's products and customers, with names from many languages, as in real payloads. */
const GIVEN_NAMES = [
  "Zoë",
  "Łukasz",
  "Nguyễn",
  "Иван",
  "Søren",
  "Ana",
  "李娜",
  "Noor",
  "José",
  "Aoife",
  "さくら",
  "Mehmet",
];
const FAMILY_NAMES = ["Müller", "Wójcik", "Thị Hương", "Петров", "Ångström", "Silva", "王", "O’Brien", "Ñáñez", "佐藤"];
const PLACES: readonly [string, string, string][] = [
  ["Gänsemarkt 12", "Hamburg", "DE"],
  ["ulica Długa 4", "Gdańsk", "PL"],
  ["Rua da Conceição 81", "Lisboa", "PT"],
  ["神宮前 4-12-10", "東京", "JP"],
  ["Calle Peñón 3", "A Coruña", "ES"],
  ["Üsküdar Cd. 77", "İstanbul", "TR"],
];
const LOCALES = ["de-DE", "pl-PL", "vi-VN", "pt-PT", "ja-JP", "es-ES", "en-IE", "tr-TR"];
const CURRENCIES = ["EUR", "EUR", "EUR", "USD", "PLN", "JPY"];
const PRODUCTS: readonly [string, string, string][] = [
  ["SKU-1001", "Espresso beans, 1 kg", "18.90"],
  ["SKU-1002", "Pour-over kettle “Fjord”", "64.50"],
  ["SKU-1007", "Filter papers, 100 pcs", "4.10"],
  ["SKU-2040", "Grinder, hand-made in Göteborg", "129.00"],
  ["SKU-2041", "抹茶 starter set", "42.75"],
  ["SKU-3100", "Cup “Größe M”, blue", "12.10"],
  ["SKU-3101", "Gift card", "50.00"],
];

/** A number in [0, 1): Math.random, or a fixed one in tests. */
export type Random = () => number;

export function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)] as T;
}

export function inventCustomer(random: Random): { name: string; email: string; locale: string } {
  const name = `${pick(GIVEN_NAMES, random)} ${pick(FAMILY_NAMES, random)}`;
  return { name, email: `customer${Math.floor(random() * 1e9)}@example.com`, locale: pick(LOCALES, random) };
}

export function inventAddress(random: Random): { street: string; city: string; country: string } {
  const [street, city, country] = pick(PLACES, random);
  return { street, city, country };
}

export function inventCurrency(random: Random): string {
  return pick(CURRENCIES, random);
}

/** One to four lines; occasionally a pallet's worth, which makes a payload of several kB. */
export function inventLines(random: Random): OrderLine[] {
  const count = random() < 0.02 ? 40 : 1 + Math.floor(random() * 4);
  return Array.from({ length: count }, (_, index) => {
    const [sku, title, unitPrice] = pick(PRODUCTS, random);
    return { line: index + 1, sku, title, quantity: 1 + Math.floor(random() * 3), unitPrice };
  });
}

/** Sum of quantity times price, in exact cents: "12.10". */
export function totalOf(lines: readonly OrderLine[]): string {
  const cents = lines.reduce((sum, line) => sum + line.quantity * Math.round(Number(line.unitPrice) * 100), 0);
  return (cents / 100).toFixed(2);
}
