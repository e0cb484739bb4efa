import { queryOptions } from "@tanstack/react-query";
import type { components, paths } from "./app";
import { app } from "./client";
import { data } from "./queries";

export type ClientSuggestion = components["schemas"]["ClientSuggestion"];
export type ItemSuggestion = components["schemas"]["ItemSuggestion"];
type InvoiceFilter = NonNullable<paths["/api/autocomplete/invoices/"]["get"]["parameters"]["query"]>;

const brief = { staleTime: 30_000 };

export const suggestClients = (q: string) =>
  queryOptions({
    queryKey: ["suggest", "clients", q],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/clients/", { params: { query: { q } }, signal }))).results,
    ...brief,
  });

export const suggestItems = (q: string) =>
  queryOptions({
    queryKey: ["suggest", "items", q],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/items/", { params: { query: { q } }, signal }))).results,
    ...brief,
  });

export const suggestInvoices = (filter: InvoiceFilter) =>
  queryOptions({
    queryKey: ["suggest", "invoices", filter],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/invoices/", { params: { query: filter }, signal }))).results,
    ...brief,
  });

export const suggestReasons = (q: string) =>
  queryOptions({
    queryKey: ["suggest", "reasons", q],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/reasons/", { params: { query: { q } }, signal }))).results,
    ...brief,
  });
