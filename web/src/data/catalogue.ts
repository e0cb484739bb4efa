import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { v1 } from "./client";
import { data } from "./queries";
import type { paths } from "./v1";

type ClientFilter = NonNullable<paths["/api/buyers/"]["get"]["parameters"]["query"]>;
export type Client = paths["/api/buyers/{buyer_id}/"]["get"]["responses"]["200"]["content"]["application/json"];
export type ClientData = paths["/api/onboarding/organizations/clients/"]["post"]["requestBody"]["content"]["multipart/form-data"]["client_data"];
export type Identification = NonNullable<ClientData["additional_buyer_id"]>[number];

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
