import type { Client, Item } from "./catalogue";
import { app } from "./client";
import { data } from "./queries";
import { pathOf, request } from "./request";

function formOf(files: File[]): FormData {
  const form = new FormData();
  for (const file of files) form.append("file", file);
  return form;
}

/** Reads a picture of a record. */
export const readPicture = async (url: string, signal?: AbortSignal): Promise<Blob> => (await request(pathOf(url), signal ? { signal } : {})).blob();

/** Replaces the logo of a client. */
export const setClientLogo = (id: string, files: File[]): Promise<Client> => data(app.PUT("/api/buyers/{buyer_id}/logo/", { params: { path: { buyer_id: id } }, body: { file: "" }, bodySerializer: () => formOf(files) }));

export const removeClientLogo = (id: string): Promise<Client> => data(app.DELETE("/api/buyers/{buyer_id}/logo/", { params: { path: { buyer_id: id } } }));

/** Replaces the pictures of an item. */
export const setItemImages = (id: string, files: File[]): Promise<Item> => data(app.PUT("/api/items/{item_id}/images/", { params: { path: { item_id: id } }, body: {}, bodySerializer: () => formOf(files) }));

export const removeItemImages = (id: string): Promise<Item> => data(app.DELETE("/api/items/{item_id}/images/", { params: { path: { item_id: id } } }));
