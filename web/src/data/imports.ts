import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { activeOrganisation, app, Failure, failureOf } from "./client";
import { type Answer, data } from "./queries";
import type { paths } from "./app";

export type Import = Answer<"/api/imports/{import_id}/">;
export type ImportData = paths["/api/imports/"]["post"]["requestBody"]["content"]["multipart/form-data"]["import_data"];
export type Column = NonNullable<ImportData["columns"]>[number];
export type Fate = Answer<"/api/imports/{import_id}/rows/">["rows"][number]["fate"];
export type EarlierInvoice = Answer<"/api/earlier-invoices/">["earlier_invoices"][number];
export type EarlierData = paths["/api/earlier-invoices/"]["post"]["requestBody"]["content"]["application/json"];
export type EarlierFile = paths["/api/earlier-invoices/file/"]["post"]["responses"]["200"]["content"]["application/json"];

/** A file lacks columns that every record needs. */
export class MissingColumns extends Failure {
  constructor(
    from: Failure,
    readonly columns: string[],
  ) {
    super(from.status, from.code, from.message, from.messageAr, from.problems, from.retryAfter);
  }
}

/** Sends a file with what is said about it. */
async function upload<T>(path: string, about: object, file: File): Promise<T> {
  const form = new FormData();
  form.set("import_data", JSON.stringify(about));
  form.set("file", file);
  const organisation = activeOrganisation.get();
  let response: Response;
  try {
    response = await fetch(path, { method: "POST", body: form, headers: organisation ? { "X-Active-Org": organisation } : {} });
  } catch {
    throw new Failure(0, "offline", "", "", [], null);
  }
  if (response.ok) return (await response.json()) as T;
  const copy = response.clone();
  const failure = await failureOf(response);
  if (failure.code !== "import_columns") throw failure;
  const { missing_columns: columns } = (await copy.json()) as { missing_columns?: string[] };
  throw columns ? new MissingColumns(failure, columns) : failure;
}

export const uploadImport = (about: ImportData, file: File) => upload<Import>("/app/api/imports/", about, file);
export const uploadEarlier = (columns: Column[], file: File, dryRun: boolean) => upload<EarlierFile>(`/app/api/earlier-invoices/file/?dry_run=${dryRun}`, { columns }, file);

export const importsQuery = (cursor: string) =>
  queryOptions({
    queryKey: ["imports", cursor],
    queryFn: ({ signal }) => data(app.GET("/api/imports/", { params: { query: { page_size: 25, ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ["import", id],
    queryFn: ({ signal }) => data(app.GET("/api/imports/{import_id}/", { params: { path: { import_id: id } }, signal })),
  });

export const importRowsQuery = (id: string, fate: Fate | "", after: number) =>
  queryOptions({
    queryKey: ["import", id, "rows", fate, after],
    queryFn: ({ signal }) => data(app.GET("/api/imports/{import_id}/rows/", { params: { path: { import_id: id }, query: { page_size: 50, after_row: after, ...(fate && { fate }) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const runImport = (id: string) => data(app.POST("/api/imports/{import_id}/run/", { params: { path: { import_id: id } } }));
export const cancelImport = (id: string) => data(app.POST("/api/imports/{import_id}/cancel/", { params: { path: { import_id: id } } }));

export const earlierQuery = (number: string, cursor: string) =>
  queryOptions({
    queryKey: ["earlier", number, cursor],
    queryFn: ({ signal }) => data(app.GET("/api/earlier-invoices/", { params: { query: { page_size: 20, ...(number && { number }), ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const registerEarlier = (invoice: EarlierData) => data(app.POST("/api/earlier-invoices/", { body: invoice }));
