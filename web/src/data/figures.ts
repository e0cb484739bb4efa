import { queryOptions } from "@tanstack/react-query";
import { app, v1 } from "./client";
import { type Answer, data, every, isSound, type Sound } from "./queries";

/** What the documents of a period add up to. Its days are those that have documents. */
export type Summary = Answer<"/api/summary/">;
export type Sums = Summary["totals"];

/** Returns the sums of a period, of each day and together. */
export const summaryQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ["invoices", "summary", from, to],
    refetchInterval: every(60_000),
    queryFn: ({ signal }) => data(app.GET("/api/summary/", { params: { query: { date_from: from, date_to: to } }, signal })),
  });

/** Returns the simplified document that has waited longest to be reported; null if none waits. */
export const oldestQuery = queryOptions({
  queryKey: ["invoices", "oldest-unreported"],
  refetchInterval: every(30_000),
  queryFn: async ({ signal }): Promise<Sound | null> => {
    const waiting = { transaction_code: "0200000" as const, invoice_status: ["Unanswered" as const, "No response" as const], page_size: 1 };
    const newest = await data(v1.GET("/api/invoices/", { params: { query: waiting }, signal }));
    const last = newest.total > 1 ? await data(v1.GET("/api/invoices/", { params: { query: { ...waiting, page: newest.total } }, signal })) : newest;
    const row = last.invoices[0] ?? newest.invoices[0];
    return row && isSound(row) ? row : null;
  },
});
