import { activeOrganisation, Failure, failureOf } from "./client";

/** Makes a request for the active organisation, for what the typed clients do not cover. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  const organisation = activeOrganisation.get();
  if (organisation) headers.set("X-Active-Org", organisation);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Failure(0, "offline", "", "", [], null);
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** Saves a file under the name that the server gives it. */
export async function download(path: string): Promise<void> {
  const response = await request(path);
  const disposition = response.headers.get("Content-Disposition") ?? "";
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, plain] = /filename="?([^";]+)"?/i.exec(disposition) ?? [];
  saveFile(await response.blob(), encoded ? decodeURIComponent(encoded) : (plain ?? ""));
}

/** Saves a file on the person's machine. */
export function saveFile(content: Blob, name: string) {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns the path of an address of this server, which may name another host. */
export function pathOf(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
