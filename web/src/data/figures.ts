import { queryOptions } from "@tanstack/react-query";
import { v1 } from "./client";
import { data, type Row } from "./queries";

type Sound = Exclude<Row, { corrupted: boolean }>;
type Fate = "accepted" | "waiting" | "rejected";

export interface Counts {
  issued: number;
  accepted: number;
  waiting: number;
  rejected: number;
  /** Whether there are more than the counts say. */
  capped: boolean;
}

export interface Day extends Counts {
  day: string;
  /** VAT in halalas of riyals, without rejected documents and less credit notes. */
  vat: bigint;
}

export interface Figures {
  today: Counts;
  month: Counts;
  days: Day[]; // every day of the month that is counted completely, by date
  vat: bigint;
  /** The first day in days, if earlier ones are left out because there are too many documents. */
  from: string | null;
}

/** Number of documents from which figures are computed, since the API has no aggregates. */
export const most = 500;

const statuses: Record<Fate, ("CLEARED" | "REPORTED" | "NOT_CLEARED" | "NOT_REPORTED" | "No response" | "Unanswered")[]> = {
  accepted: ["CLEARED", "REPORTED"],
  waiting: ["Unanswered", "No response"],
  rejected: ["NOT_CLEARED", "NOT_REPORTED"],
};

function fateOf(row: Sound): Fate {
  const status = row.authority_response_status;
  if (status === "CLEARED" || status === "REPORTED") return "accepted";
  return status === "NOT_CLEARED" || status === "NOT_REPORTED" ? "rejected" : "waiting";
}

function halalas(row: Sound): bigint {
  if (fateOf(row) === "rejected") return 0n;
  const value = BigInt(row.invoice_total_vat_amount_sar.replace(".", ""));
  return row.type_code === 381 ? -value : value;
}

/** Returns the figures of a month and of today, which is in it. */
export const figuresQuery = (first: string, last: string, today: string) =>
  queryOptions({
    queryKey: ["invoices", "figures", first, today],
    refetchInterval: 60_000,
    queryFn: async ({ signal }): Promise<Figures> => {
      const rows: Sound[] = [];
      let cursor: string | null = "";
      while (cursor !== null && rows.length < most) {
        const page: { invoices: Row[]; next_cursor: string | null } = await data(v1.GET("/api/invoices/", { params: { query: { date_from: first, date_to: last, page_size: 100, ...(cursor && { cursor }) } }, signal }));
        rows.push(...page.invoices.filter((row): row is Sound => !("corrupted" in row)));
        cursor = page.next_cursor;
      }
      const complete = cursor === null;
      const oldest = rows.at(-1)?.issue_date ?? first;
      const counted = (day: string) => complete || day > oldest;

      const days: Day[] = [];
      for (let n = 1; n <= Number(last.slice(8)); n++) {
        const day = first.slice(0, 8) + String(n).padStart(2, "0");
        if (day > today || !counted(day)) continue;
        const own = rows.filter((row) => row.issue_date === day);
        const count = (fate: Fate) => own.filter((row) => fateOf(row) === fate).length;
        days.push({ day, issued: own.length, accepted: count("accepted"), waiting: count("waiting"), rejected: count("rejected"), capped: false, vat: own.reduce((sum, row) => sum + halalas(row), 0n) });
      }

      /** Asks the list for its total, which is exact up to 10,000. */
      const ask = async (from: string, to: string): Promise<Counts> => {
        const total = (status?: (typeof statuses)[Fate]) => data(v1.GET("/api/invoices/", { params: { query: { date_from: from, date_to: to, page_size: 1, ...(status && { invoice_status: status }) } }, signal }));
        const [issued, accepted, waiting, rejected] = await Promise.all([total(), total(statuses.accepted), total(statuses.waiting), total(statuses.rejected)]);
        return { issued: issued.total, accepted: accepted.total, waiting: waiting.total, rejected: rejected.total, capped: [issued, accepted, waiting, rejected].some((one) => one.total_capped) };
      };
      const add = (list: Day[]): Counts => list.reduce<Counts>((sum, day) => ({ issued: sum.issued + day.issued, accepted: sum.accepted + day.accepted, waiting: sum.waiting + day.waiting, rejected: sum.rejected + day.rejected, capped: false }), { issued: 0, accepted: 0, waiting: 0, rejected: 0, capped: false });
      return {
        today: counted(today) ? add(days.filter((one) => one.day === today)) : await ask(today, today),
        month: complete ? add(days) : await ask(first, last),
        days,
        vat: rows.reduce((sum, row) => sum + halalas(row), 0n),
        from: complete ? null : (days[0]?.day ?? today),
      };
    },
  });

/** Returns the simplified document that has waited longest to be reported; null if none waits. */
export const oldestQuery = queryOptions({
  queryKey: ["invoices", "oldest-unreported"],
  refetchInterval: 30_000,
  queryFn: async ({ signal }): Promise<Sound | null> => {
    const waiting = { transaction_code: "0200000" as const, invoice_status: statuses.waiting, page_size: 1 };
    const newest = await data(v1.GET("/api/invoices/", { params: { query: waiting }, signal }));
    const last = newest.total > 1 ? await data(v1.GET("/api/invoices/", { params: { query: { ...waiting, page: newest.total } }, signal })) : newest;
    const row = last.invoices[0] ?? newest.invoices[0];
    return row && !("corrupted" in row) ? row : null;
  },
});
