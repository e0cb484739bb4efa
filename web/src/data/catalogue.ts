import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { app, v1 } from "./client";
import { data } from "./queries";
import { request } from "./request";
import type { paths as AppPaths } from "./app";
import type { paths } from "./v1";

type ClientFilter = NonNullable<paths["/api/buyers/"]["get"]["parameters"]["query"]>;
export type Client = paths["/api/buyers/{buyer_id}/"]["get"]["responses"]["200"]["content"]["application/json"];
export type ClientData = paths["/api/onboarding/organizations/clients/"]["post"]["requestBody"]["content"]["multipart/form-data"]["client_data"];
export type ClientSuggestion = AppPaths["/api/autocomplete/clients/"]["get"]["responses"]["200"]["content"]["application/json"]["results"][number];
export type Identification = NonNullable<ClientData["additional_buyer_id"]>[number];

/** An entry of a list of codes. */
export interface Entry {
  uuid?: string;
  code: string;
  description: string;
  description_ar: string;
}

const always = { staleTime: Infinity };

/** The lists of codes that the documents of the API do not describe. */
const listQuery = (path: string) =>
  queryOptions({
    queryKey: ["codes", path],
    queryFn: async ({ signal }) => Object.values((await (await request(`/v1/api/${path}/`, { signal })).json()) as Record<string, Entry>),
    ...always,
  });

export const businessTypesQuery = listQuery("business-types");
export const industriesQuery = listQuery("industries");
export const identificationTypesQuery = listQuery("buyers/additional-buyer-id-types");

export const clientsQuery = (filter: ClientFilter) =>
  queryOptions({
    queryKey: ["clients", filter],
    queryFn: ({ signal }) => data(v1.GET("/api/buyers/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: ["client", id],
    queryFn: ({ signal }) => data(v1.GET("/api/buyers/{buyer_id}/", { params: { path: { buyer_id: id } }, signal })),
  });

export const clientSuggestionsQuery = (text: string) =>
  queryOptions({
    queryKey: ["clients", "suggested", text],
    queryFn: async ({ signal }) => (await data(app.GET("/api/autocomplete/clients/", { params: { query: { q: text } }, signal }))).results,
  });

/** Creates a client, or changes the one with the given UUID. A picture can be given to a new client only. */
export async function saveClient(id: string | undefined, record: ClientData, picture: File | null): Promise<Client> {
  if (id) return data(v1.PATCH("/api/buyers/{buyer_id}/", { params: { path: { buyer_id: id } }, body: record }));
  const form = new FormData();
  form.set("client_data", JSON.stringify(record));
  if (picture) form.set("file", picture);
  return data(v1.POST("/api/onboarding/organizations/clients/", { body: { client_data: record }, bodySerializer: () => form }));
}

type ItemFilter = NonNullable<paths["/api/items/"]["get"]["parameters"]["query"]>;
export type Item = paths["/api/items/{item_id}/"]["get"]["responses"]["200"]["content"]["application/json"];
export type ItemData = paths["/api/items/"]["post"]["requestBody"]["content"]["multipart/form-data"]["item_data"];

export const itemsQuery = (filter: ItemFilter) =>
  queryOptions({
    queryKey: ["items", filter],
    queryFn: ({ signal }) => data(v1.GET("/api/items/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const itemQuery = (id: string) =>
  queryOptions({
    queryKey: ["item", id],
    queryFn: ({ signal }) => data(v1.GET("/api/items/{item_id}/", { params: { path: { item_id: id } }, signal })),
  });

/** Creates an item, or changes the one with the given UUID. Pictures can be given to a new item only. */
export async function saveItem(id: string | undefined, record: ItemData, picture: File | null): Promise<Item> {
  if (id) return data(v1.PATCH("/api/items/{item_id}/", { params: { path: { item_id: id } }, body: record }));
  const form = new FormData();
  form.set("item_data", JSON.stringify(record));
  if (picture) form.set("files", picture);
  return data(v1.POST("/api/items/", { body: { item_data: record }, bodySerializer: () => form }));
}

/** The units of measure. The list has several names for some codes, of which the first is kept. */
export const unitsQuery = queryOptions({
  queryKey: ["codes", "units"],
  queryFn: async ({ signal }) => {
    const entries = Object.values(await data(v1.GET("/api/invoices/units-of-measure/", { signal })));
    return entries.filter((entry, i) => entries.findIndex((other) => other.code === entry.code) === i);
  },
  ...always,
});

export const vatCategoriesQuery = queryOptions({
  queryKey: ["codes", "vat-categories"],
  queryFn: async ({ signal }) => Object.values(await data(v1.GET("/api/invoices/vat-categories/", { signal }))),
  ...always,
});

/** The rates and exemption reasons of each category. */
export const vatQuery = queryOptions({
  queryKey: ["codes", "vat"],
  queryFn: ({ signal }) => data(v1.GET("/api/invoices/vat/", { signal })),
  ...always,
});

export const paymentMeansQuery = queryOptions({
  queryKey: ["codes", "payment-means"],
  queryFn: async ({ signal }) => Object.values(await data(v1.GET("/api/invoices/payment-means-types/", { signal }))),
  ...always,
});
