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

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => data(app.GET("/api/session/", { signal })),
  staleTime: 5 * 60_000,
});

export const attentionQuery = queryOptions({
  queryKey: ["attention"],
  queryFn: ({ signal }) => data(app.GET("/api/attention/", { signal })),
  refetchInterval: 30_000,
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
    refetchInterval: (query) => (query.state.data?.authority_response_received_at ? false : 3_000),
  });

type List = paths["/api/invoices/"]["get"]["responses"]["200"]["content"]["application/json"];
export type Row = List["invoices"][number];
export type Invoice = paths["/api/invoices/{invoice_id}/"]["get"]["responses"]["200"]["content"]["application/json"];

type Answer<Path extends keyof AppPaths> = AppPaths[Path] extends { get: { responses: { 200: { content: { "application/json": infer Body } } } } } ? Body : never;
export type Session = Answer<"/api/session/">;
export type AttentionEntry = Answer<"/api/attention/">["entries"][number];

export const clientSuggestions = (q: string) =>
  queryOptions({
    queryKey: ["suggest", "clients", q],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/clients/", { params: { query: { q } }, signal }))).results,
  });

export const itemSuggestions = (q: string) =>
  queryOptions({
    queryKey: ["suggest", "items", q],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/items/", { params: { query: { q } }, signal }))).results,
  });

type InvoiceSuggestionFilter = NonNullable<AppPaths["/api/autocomplete/invoices/"]["get"]["parameters"]["query"]>;

export const invoiceSuggestions = (filter: InvoiceSuggestionFilter) =>
  queryOptions({
    queryKey: ["suggest", "invoices", filter],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/invoices/", { params: { query: filter }, signal }))).results,
  });

export const reasonSuggestions = (q: string) =>
  queryOptions({
    queryKey: ["suggest", "reasons", q],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/reasons/", { params: { query: { q } }, signal }))).results,
  });

export const devicesQuery = queryOptions({
  queryKey: ["devices"],
  queryFn: ({ signal }) => data(app.GET("/api/devices/", { params: { query: { page_size: 100 } }, signal })),
});

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: ["client", id],
    queryFn: ({ signal }) => data(v1.GET("/api/buyers/{buyer_id}/", { params: { path: { buyer_id: id } }, signal })),
  });

export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: ["item", id],
    queryFn: ({ signal }) => data(v1.GET("/api/items/{item_id}/", { params: { path: { item_id: id } }, signal })),
  });

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

// Lists of codes change only with a new version of the service.
const fixed = { staleTime: Infinity };

export const vatQuery = queryOptions({
  queryKey: ["codes", "vat"],
  queryFn: ({ signal }) => data(v1.GET("/api/invoices/vat/", { signal })),
  ...fixed,
});

export const unitsQuery = queryOptions({
  queryKey: ["codes", "units"],
  queryFn: ({ signal }) => data(v1.GET("/api/invoices/units-of-measure/", { signal })),
  ...fixed,
});

export const paymentMeansQuery = queryOptions({
  queryKey: ["codes", "payment-means"],
  queryFn: ({ signal }) => data(v1.GET("/api/invoices/payment-means-types/", { signal })),
  ...fixed,
});

export type ItemSuggestion = Answer<"/api/autocomplete/items/">["results"][number];
