import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { app, v1 } from "./client";
import type { paths as AppPaths } from "./app";
import type { paths } from "./v1";

type InvoiceFilter = NonNullable<paths["/api/invoices/"]["get"]["parameters"]["query"]>;

/** Returns the data of a response. Failures are thrown by the client. */
export async function data<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  return data as T;
}

/**
 * Returns how often a query is made again. One that failed before it had data waits for
 * the person, so that the page does not change between an error and a skeleton.
 */
export function every(milliseconds: number) {
  return (query: { state: { data: unknown } }) => (query.state.data === undefined ? false : milliseconds);
}

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => data(app.GET("/api/session/", { signal })),
  staleTime: 5 * 60_000,
});

export const attentionQuery = queryOptions({
  queryKey: ["attention"],
  queryFn: ({ signal }) => data(app.GET("/api/attention/", { signal })),
  refetchInterval: every(30_000),
});

export const noticesQuery = queryOptions({
  queryKey: ["notices"],
  queryFn: ({ signal }) => data(app.GET("/api/notices/", { signal })),
  refetchInterval: every(60_000),
});

export const planQuery = queryOptions({
  queryKey: ["plan"],
  queryFn: ({ signal }) => data(app.GET("/api/plan/", { signal })),
});

export const invoicesQuery = (filter: InvoiceFilter) =>
  queryOptions({
    queryKey: ["invoices", filter],
    queryFn: ({ signal }) => data(v1.GET("/api/invoices/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: ["invoice", id],
    queryFn: ({ signal }) => data(v1.GET("/api/invoices/{invoice_id}/", { params: { path: { invoice_id: id } }, signal })),
    refetchInterval: (query) => (!query.state.data || query.state.data.authority_response_received_at ? false : 3_000),
  });

type List = paths["/api/invoices/"]["get"]["responses"]["200"]["content"]["application/json"];
export type Row = List["invoices"][number];
/** A document whose stored copy is whole. */
export type Sound = Exclude<Row, { corrupted: boolean }>;
export const isSound = (row: Row): row is Sound => !("corrupted" in row);
export type Invoice = paths["/api/invoices/{invoice_id}/"]["get"]["responses"]["200"]["content"]["application/json"];

/** The body of a response to a GET of the app API. */
export type Answer<Path extends keyof AppPaths> = AppPaths[Path] extends { get: { responses: { 200: { content: { "application/json": infer Body } } } } } ? Body : never;
export type Session = Answer<"/api/session/">;
export type Attention = Answer<"/api/attention/">;
export type AttentionEntry = Attention["entries"][number];

export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ["draft", id],
    queryFn: ({ signal }) => data(app.GET("/api/drafts/{draft_id}/", { params: { path: { draft_id: id } }, signal })),
  });

export const draftsQuery = (filter: NonNullable<AppPaths["/api/drafts/"]["get"]["parameters"]["query"]>) =>
  queryOptions({
    queryKey: ["drafts", filter],
    queryFn: ({ signal }) => data(app.GET("/api/drafts/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
export type Notice = Answer<"/api/notices/">["notices"][number];
export type DraftRow = Answer<"/api/drafts/">["drafts"][number];
