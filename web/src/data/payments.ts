import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { app, v1 } from "./client";
import { type Answer, data, isSound } from "./queries";
import type { paths } from "./app";

type Filter<Path extends keyof paths> = paths[Path] extends { get: { parameters: { query?: infer Query } } } ? NonNullable<Query> : never;
type Body<Path extends keyof paths> = paths[Path] extends { post: { requestBody: { content: { "application/json": infer Body } } } } ? Body : never;

export type Receipt = Answer<"/api/receipts/{receipt_id}/">;
export type Refund = Answer<"/api/refunds/{refund_id}/">;
export type Statement = Answer<"/api/buyers/{buyer_id}/statement/">["statements"][number];
export type StatementLine = Statement["lines"][number];
export type Owed = Answer<"/api/ageing/">["totals"][number];
export type Payment = Body<"/api/receipts/">;
export type Allocation = Body<"/api/receipts/{receipt_id}/allocate/">["allocations"][number];
export type RefundData = Body<"/api/refunds/">;
export type MeansCode = Payment["payment_means_type_code"];

export const receiptsQuery = (filter: Filter<"/api/receipts/">) =>
  queryOptions({
    queryKey: ["receipts", filter],
    queryFn: ({ signal }) => data(app.GET("/api/receipts/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: ["receipt", id],
    queryFn: ({ signal }) => data(app.GET("/api/receipts/{receipt_id}/", { params: { path: { receipt_id: id } }, signal })),
  });

export const refundsQuery = (filter: Filter<"/api/refunds/">) =>
  queryOptions({
    queryKey: ["refunds", filter],
    queryFn: ({ signal }) => data(app.GET("/api/refunds/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const refundQuery = (id: string) =>
  queryOptions({
    queryKey: ["refund", id],
    queryFn: ({ signal }) => data(app.GET("/api/refunds/{refund_id}/", { params: { path: { refund_id: id } }, signal })),
  });

export const creditQuery = (buyer: string) =>
  queryOptions({
    queryKey: ["credit", buyer],
    queryFn: async ({ signal }) => (await data(app.GET("/api/buyers/{buyer_id}/credit/", { params: { path: { buyer_id: buyer } }, signal }))).credit,
  });

export const statementQuery = (buyer: string, from: string, to: string) =>
  queryOptions({
    queryKey: ["statement", buyer, from, to],
    queryFn: ({ signal }) => data(app.GET("/api/buyers/{buyer_id}/statement/", { params: { path: { buyer_id: buyer }, query: { ...(from && { date_from: from }), ...(to && { date_to: to }) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const ageingQuery = (cursor: string) =>
  queryOptions({
    queryKey: ["ageing", cursor],
    queryFn: ({ signal }) => data(app.GET("/api/ageing/", { params: { query: { page_size: 25, ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
  });

/** The invoices of a client that have a balance, the oldest first. */
export const openInvoicesQuery = (buyer: string) =>
  queryOptions({
    queryKey: ["invoices", "open", buyer],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all((["Pending", "Partially Paid"] as const).map((status) => data(v1.GET("/api/invoices/", { params: { query: { buyer, payment_status: status, page_size: 100 } }, signal }))));
      return lists
        .flatMap((list) => list.invoices.filter(isSound))
        .filter((row) => row.balance !== "0.00")
        .sort((a, b) => (a.issue_date + a.issue_time).localeCompare(b.issue_date + b.issue_time));
    },
  });

/** Documents by their UUIDs, at most 100. */
export const documentsQuery = (ids: string[]) =>
  queryOptions({
    queryKey: ["invoices", "by", ids],
    queryFn: async ({ signal }) => (ids.length === 0 ? [] : (await data(v1.GET("/api/invoices/", { params: { query: { uuid: ids.slice(0, 100), page_size: 100 } }, signal }))).invoices.filter(isSound)),
    placeholderData: keepPreviousData,
  });

/** Credit notes of which an amount is still to be paid back. */
export const refundableQuery = (text: string) =>
  queryOptions({
    queryKey: ["invoices", "refundable", text],
    queryFn: async ({ signal }) => {
      const list = await data(v1.GET("/api/invoices/", { params: { query: { type_code: 381, page_size: 100, ...(text && { search_text: text }) } }, signal }));
      return list.invoices.filter(isSound).filter((row) => row.refund_due !== "0.00");
    },
  });

export const recordPayment = (key: string, payment: Payment) => data(app.POST("/api/receipts/", { params: { header: { "Idempotency-Key": key } }, body: payment }));
export const recordRefund = (key: string, refund: RefundData) => data(app.POST("/api/refunds/", { params: { header: { "Idempotency-Key": key } }, body: refund }));
export const allocateCredit = (receipt: string, allocations: Allocation[]) => data(app.POST("/api/receipts/{receipt_id}/allocate/", { params: { path: { receipt_id: receipt } }, body: { allocations } }));
export const reverseReceipt = (receipt: string, reason: string) => data(app.POST("/api/receipts/{receipt_id}/reverse/", { params: { path: { receipt_id: receipt } }, body: { reason } }));
export const reverseRefund = (refund: string, reason: string) => data(app.POST("/api/refunds/{refund_id}/reverse/", { params: { path: { refund_id: refund } }, body: { reason } }));

/** The first parts of the keys of what a payment changes. */
export const paidKeys = ["receipts", "receipt", "refunds", "refund", "credit", "statement", "ageing", "invoices", "invoice"];
