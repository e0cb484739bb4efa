import type { invoicesQuery } from "../../data/queries";
import { monthOf, quarterOf, shift, today } from "../../parts/days";

export type Filter = NonNullable<Parameters<typeof invoicesQuery>[0]>;

export const periods = ["today", "yesterday", "month", "last_month", "quarter"] as const;
export type Period = (typeof periods)[number];

/** The parameters of the address that filter the list. All but q and period are those of the API. */
export const names = ["q", "invoice_status", "type_code", "transaction_code", "device", "buyer", "period", "date_from", "date_to", "payment_status"] as const;

export function daysOf(period: string): [string, string] | null {
  const now = today();
  switch (period) {
    case "today":
      return [now, now];
    case "yesterday":
      return [shift(now, -1), shift(now, -1)];
    case "month":
      return monthOf(now);
    case "last_month":
      return monthOf(now, -1);
    case "quarter":
      return quarterOf(now);
    default:
      return null;
  }
}

const statuses = ["CLEARED", "REPORTED", "NOT_CLEARED", "NOT_REPORTED", "No response", "Unanswered"] as const;
const types = [388, 381, 383, 386] as const;
const transactions = ["0100000", "0200000", "0100100"] as const;
const payments = ["Pending", "Partially Paid", "Paid"] as const;

/** Returns what the address asks for. Values that the API does not know are left out. */
export function filterOf(params: URLSearchParams): Filter {
  const filter: Filter = {};
  const q = params.get("q");
  if (q) filter.search_text = q;
  const asked = (params.get("invoice_status") ?? "").split(",");
  const status = statuses.filter((one) => asked.includes(one));
  if (status.length > 0) filter.invoice_status = status;
  const type = types.find((one) => String(one) === params.get("type_code"));
  if (type) filter.type_code = type;
  const transaction = transactions.find((one) => one === params.get("transaction_code"));
  if (transaction) filter.transaction_code = transaction;
  const payment = payments.find((one) => one === params.get("payment_status"));
  if (payment) filter.payment_status = payment;
  for (const name of ["device", "buyer"] as const) {
    const value = params.get(name);
    if (value) filter[name] = value;
  }
  const days = daysOf(params.get("period") ?? "");
  const from = days?.[0] ?? params.get("date_from");
  const to = days?.[1] ?? params.get("date_to");
  if (from) filter.date_from = from;
  if (to) filter.date_to = to;
  return filter;
}

/** Returns the filters of an address as they are saved in a view. */
export function savedQuery(params: URLSearchParams): string {
  const saved = new URLSearchParams();
  for (const name of names) {
    const value = params.get(name);
    if (value) saved.set(name === "q" ? "search_text" : name, value);
  }
  return saved.toString();
}

/** Returns the parameters of the address for a saved view. */
export function addressOf(query: string): URLSearchParams {
  const saved = new URLSearchParams(query);
  const params = new URLSearchParams();
  for (const name of names) {
    const value = saved.get(name === "q" ? "search_text" : name);
    if (value) params.set(name, value);
  }
  return params;
}
